"""The named benchmark graphs: their counts, licences, homes and checksums."""

from __future__ import annotations

from dataclasses import dataclass

_RAW = "https://raw.githubusercontent.com"


@dataclass(frozen=True)
class DataFile:
    """One file of a dataset, and how to know its bytes."""

    name: str
    size: int
    sha256: str
    git_blob: str | None = None  # another copy that is as good, known by its id in git


@dataclass(frozen=True)
class Dataset:
    """A named graph with its published split."""

    name: str
    triples: tuple[int, int, int]  # lines of train, valid and test
    entities: int
    relations: int
    licence: str
    home: str  # a page to read
    address: str  # a folder to fetch the files from
    files: tuple[DataFile, ...]


_ALL = (
    Dataset(
        name="FB15k",
        triples=(483_142, 50_000, 59_071),
        entities=14_951,
        relations=1_345,
        licence="drawn from Freebase, CC BY 2.5",
        home="https://everest.hds.utc.fr/doku.php?id=en:transe",
        address=f"{_RAW}/ibalazevic/TuckER/master/data/FB15k",
        files=(
            # The blob id is that of the public file; the checksum that of the same facts in
            # another order.
            DataFile(
                "train.txt",
                37_606_618,
                "d1ef4d8c736d685759c3dfb42383d1a6264e8c1f3754b3b7f4b710d36d602a24",
                git_blob="de7b73e2a375b38236aa02bbcdca4c4b449b6e7d",
            ),
            DataFile(
                "valid.txt",
                3_895_668,
                "471929cde9cf74b1caa8348c2b601c8010d6b2f2a56bae49b4ebfd14c9bce855",
            ),
            DataFile(
                "test.txt",
                4_601_511,
                "5b60b4de325482c3368e22d0b7452d465b09a610fea0ce3768d8b1e8b5a7e42a",
            ),
        ),
    ),
    Dataset(
        name="FB15k-237",
        triples=(272_115, 17_535, 20_466),
        entities=14_541,
        relations=237,
        licence="drawn from Freebase, CC BY 2.5; Microsoft's download carries its own terms",
        home="https://www.microsoft.com/en-us/download/details.aspx?id=52312",
        address=f"{_RAW}/villmow/datasets_knowledge_embedding/master/FB15k-237",
        files=(
            DataFile(
                "train.txt",
                21_005_177,
                "61099230e4439f90885ca9767739e31e8e32f54736fa1c35952b27997bc7c08a",
            ),
            DataFile(
                "valid.txt",
                1_285_566,
                "749cbe9d923bac7b9354da5614ecfed2e0220256d442c3e04a6b303db1f273d9",
            ),
            DataFile(
                "test.txt",
                1_499_033,
                "e2e35e8e6113de220140b6f44dc71a5207b0fc6872d575e874aefe13259b655b",
            ),
        ),
    ),
    Dataset(
        name="WN18",
        triples=(141_442, 5_000, 5_000),
        entities=40_943,
        relations=18,
        licence="WordNet 3.0 licence",
        home="https://everest.hds.utc.fr/doku.php?id=en:smemlj12",
        address=f"{_RAW}/ibalazevic/TuckER/master/data/WN18",
        files=(
            DataFile(
                "train.txt",
                4_758_553,
                "24c9b02dc57d3ae8ca8467ce355995edee7be8eddc3bd070ee34d3c6fc3c95eb",
            ),
            DataFile(
                "valid.txt",
                169_033,
                "13347bfb5e17d1cae003e0bfe29b4716d3ab748e8cfb6af997138d37da3a51dc",
            ),
            DataFile(
                "test.txt",
                168_947,
                "d22c19d176d4ba6a6f0d0c6bfce39ab3c16e3b20e1df6f9efe0d9ed86542fa10",
            ),
        ),
    ),
    Dataset(
        name="WN18RR",
        triples=(86_835, 3_034, 3_134),
        entities=40_943,
        relations=11,
        licence="WordNet 3.0 licence",
        home="https://github.com/TimDettmers/ConvE",
        address=f"{_RAW}/ibalazevic/TuckER/master/data/WN18RR",
        files=(
            DataFile(
                "train.txt",
                3_135_377,
                "038612e783c215ee5f3ca9fbfca27b8d0739be1028fe4ee7c174aecf0b83d5df",
            ),
            DataFile(
                "valid.txt",
                110_415,
                "453ce7202afa58094a04d2b1560ee2b02660f1c260b32ce6651c8ccedd1028ab",
            ),
            DataFile(
                "test.txt",
                113_180,
                "0383bceaaa1096cf3c03ec021ed0048068e2355dbfc0239b292cefdac821cec5",
            ),
        ),
    ),
    Dataset(
        name="NELL-995",
        triples=(149_678, 543, 3_992),
        entities=75_492,
        relations=200,
        licence="not stated; drawn from NELL",
        home="https://github.com/deepakn97/relationPrediction",
        address=f"{_RAW}/deepakn97/relationPrediction/master/data/NELL-995",
        files=(
            DataFile(
                "train.txt",
                12_571_114,
                "826606112803d19cef310b45a908e6793d89c0ce99fed60d71a9c2095b71d8f6",
            ),
            DataFile(
                "valid.txt",
                46_084,
                "9c02548083036fd7ccc4ccec649a633fc3a58c544a0d28496cd751c35fef23a8",
            ),
            DataFile(
                "test.txt",
                344_723,
                "09984fa351609e449a4bef5dc45d8c358eb12e4e6aae4e11b9af9ba19b96e0ef",
            ),
        ),
    ),
    Dataset(
        name="umls",
        triples=(5_216, 652, 661),
        entities=135,
        relations=46,
        licence="repository MIT; data not stated",
        home="https://github.com/TimDettmers/ConvE",
        address=f"{_RAW}/pykeen/pykeen/master/src/pykeen/datasets/umls",
        files=(
            DataFile(
                "train.txt",
                260_013,
                "873ef4925516b83e7f6f8cc02b4be51d848828710a7f65a956f0ac4a9e452f35",
            ),
            DataFile(
                "valid.txt",
                32_963,
                "025c98f8a4891e2a6582ec5b40ee0d904031edad9c52554522f4b7904820c98e",
            ),
            DataFile(
                "test.txt",
                32_968,
                "a7eb529a3d2810fcc96341ccc97c625a5e202f8389673aa6bd317eeebbb79014",
            ),
        ),
    ),
    Dataset(
        name="kinship",
        triples=(8_544, 1_068, 1_074),
        entities=104,
        relations=25,
        licence="repository MIT; data not stated",
        home="https://github.com/TimDettmers/ConvE",
        address=f"{_RAW}/pykeen/pykeen/master/src/pykeen/datasets/kinships",
        files=(
            DataFile(
                "train.txt",
                208_710,
                "738612111a6acf0e39662bde24c7e72a4d1edf20931beea077da367dda689731",
            ),
            DataFile(
                "valid.txt",
                26_088,
                "c56f8630a583178b1e569f11a64aa535ae1ce0b0912d8b1e24716be2b37f04da",
            ),
            DataFile(
                "test.txt",
                26_255,
                "05e5733265761d55be9c05bfaff5a8d0808df46f9c1e9d66cc3f2fe114e43d88",
            ),
        ),
    ),
    Dataset(
        name="nations",
        triples=(1_592, 199, 201),
        entities=14,
        relations=55,
        licence="repository MIT; data not stated",
        home="https://github.com/TimDettmers/ConvE",
        address=f"{_RAW}/pykeen/pykeen/master/src/pykeen/datasets/nations",
        files=(
            DataFile(
                "train.txt",
                39_101,
                "0830fa9da8e5bba2ccdaa45b7bdc9130451ba66b09ff2708f35fccaf82473e57",
            ),
            DataFile(
                "valid.txt",
                4_851,
                "2b337a62e51a2f45c283eac98a70d21b7e0e102136be1539b2a52c652a7b0530",
            ),
            DataFile(
                "test.txt",
                4_951,
                "3971085165b47b6aeaec68058c6d8d98b3005e929db81268410b95ae4db770ab",
            ),
        ),
    ),
    Dataset(
        name="countries_S1",
        triples=(1_111, 24, 24),
        entities=271,
        relations=2,
        licence="repository MIT; data not stated",
        home="https://github.com/TimDettmers/ConvE",
        address=f"{_RAW}/TimDettmers/ConvE/master/countries/countries_S1",
        files=(
            DataFile(
                "train.txt",
                31_885,
                "5256bf3fc4181d7e87d819571e3acfa5425fc5af365b9ebe5c113740534ca561",
            ),
            DataFile(
                "valid.txt", 624, "f4b27648148a44f87e627140ec3a02ca4c884c32d348591147ca72f1d6fff5b0"
            ),
            DataFile(
                "test.txt", 610, "262ca5ae5ed3aa1927026e0f258cc52b10830185b93465b93b9360727e719158"
            ),
        ),
    ),
)

DATASETS: dict[str, Dataset] = {dataset.name: dataset for dataset in _ALL}
