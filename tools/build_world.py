"""Compile the bundled graph `world`: what borders what, who speaks and pays with what, and where.

    python tools/build_world.py DIR [--out src/tucker/graph/world]

DIR holds the source packages as npm packs them (`cldr-core-48.2.0.tgz`, ...); one that is missing
is fetched into DIR with `npm pack`. Nothing but Python's own library is needed beside that. The
same packages always give the same bytes. The counts by relation go to stdout, as SOURCES.md
shows them. Where a source is wrong, or we know a fact that it lacks, the tables below say so.
"""

import argparse
import json
import random
import subprocess
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Triple = tuple[str, str, str]


def codes(text: str) -> set[str]:
    """Return the ISO codes of a line."""
    return set(text.split())


def table(text: str) -> dict[str, str]:
    """Return the names of "code name, code name, ..." by their codes."""
    return dict(entry.split(" ", maxsplit=1) for entry in text.split(", "))


PACKAGES = {
    "cldr-core": "48.2.0",
    "cldr-localenames-full": "48.2.0",
    "cldr-numbers-full": "48.2.0",
    "cldr-dates-full": "48.2.0",
    "countries-list": "3.4.1",
    "world-atlas": "2.0.2",
}
SEED = 1
HELD_OUT = 0.075  # the share of valid, and of test
SPOKEN_BY = 5.0  # per cent of a country's people: fewer do not make a language of the country

# Countries and names ------------------------------------------------------------------------------

# Uninhabited, or a part of another territory of the list.
LEFT_OUT = codes("AQ BV GS HM TF UM IO CP AC TA DG CQ EA IC")
# CLDR's other English name, where its first one is clumsy ("Congo - Kinshasa").
NAME_VARIANT = dict.fromkeys(codes("HK MO MM PS"), "short")
NAME_VARIANT |= dict.fromkeys(codes("CD CG CI"), "variant")
CONTINENTS = ["002", "003", "005", "009", "142", "150"]  # UN M49 codes

# What the sources lack ----------------------------------------------------------------------------

TERRITORY_OF = {
    "AU": "CC CX NF",
    "CN": "HK MO",
    "DK": "FO GL",
    "FI": "AX",
    "FR": "BL GF GP MF MQ NC PF PM RE WF YT",
    "GB": "AI BM FK GG GI IM JE KY MS PN SH TC VG",
    "NL": "AW BQ CW SX",
    "NO": "SJ",
    "NZ": "TK",
    "US": "AS GU MP PR VI",
}
DRIVES_ON_LEFT = codes(
    "AG AI AU BB BD BM BN BS BT BW CC CK CX CY DM FJ FK GB GD GG GY HK ID IE IM IN JE JM JP KE KI "
    "KN KY LC LK LS MO MS MT MU MV MW MY MZ NA NF NP NR NU NZ PG PK PN SB SC SG SH SR SZ TC TH TK "
    "TL TO TT TV TZ UG VC VG VI WS ZA ZM ZW"
)
MEMBERS = {
    "African Union": "AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG ER ET GA GH GM GN GQ GW KE KM LR "
    "LS LY MA MG ML MR MU MW MZ NA NE NG RW SC SD SL SN SO SS ST SZ TD TG TN TZ UG ZA ZM ZW",
    "Arab League": "AE BH DJ DZ EG IQ JO KM KW LB LY MA MR OM PS QA SA SD SO SY TN YE",
    "ASEAN": "BN ID KH LA MM MY PH SG TH TL VN",
    "Caribbean Community": "AG BB BS BZ DM GD GY HT JM KN LC MS SR TT VC",
    "Commonwealth of Nations": "AG AU BB BD BN BS BW BZ CA CM CY DM FJ GA GB GD GH GM GY IN JM KE "
    "KI KN LC LK LS MT MU MV MW MY MZ NA NG NR NZ PG PK RW SB SC SG SL SZ TG TO TT TV TZ UG VC VU "
    "WS ZA ZM",
    "NATO": "AL BE BG CA CZ DE DK EE ES FI FR GB GR HR HU IS IT LT LU LV ME MK NL NO PL PT RO SE "
    "SI SK TR US",
    "OECD": "AT AU BE CA CH CL CO CR CZ DE DK EE ES FI FR GB GR HU IE IL IS IT JP KR LT LU LV MX "
    "NL NO NZ PL PT SE SI SK TR US",
    "Pacific Islands Forum": "AU CK FJ FM KI MH NC NR NU NZ PF PG PW SB TO TV VU WS",
}
# Language groups by their ISO 639-5 codes, which CLDR uses but does not name. A family is the root
# of its tree; a creole's tree ends at its branch.
FAMILIES = table(
    "aav Austroasiatic, afa Afro-Asiatic, ccn Northwest Caucasian, ccs Kartvelian, dra Dravidian, "
    "esx Eskimo-Aleut, ine Indo-European, map Austronesian, myn Mayan, nic Niger-Congo, "
    "qwe Quechuan, sit Sino-Tibetan, ssa Nilo-Saharan, tai Tai-Kadai, trk Turkic, urj Uralic, "
    "xgn Mongolic, xnd Na-Dene"
)
BRANCHES = table(
    "bat Baltic, ber Berber, bnt Bantu, cdc Chadic, cel Celtic, cus Cushitic, dmn Mande, "
    "fiu Finno-Ugric, gem Germanic, inc Indo-Aryan, ira Iranian, phi Philippine, "
    "poz Malayo-Polynesian, roa Romance, sem Semitic, sla Slavic, tbq Tibeto-Burman, zhx Chinese"
)
CREOLES = table("cpe English-based creole, cpf French-based creole, cpp Portuguese-based creole")
# Languages that CLDR's groups leave out.
GROUP_OF = table(
    "aln ine, ast roa, bi cpe, fan bnt, hak zhx, jam cpe, kj bnt, kri cpe, mt sem, ng bnt, "
    "pnb inc, rn bnt, rw bnt, sq ine, srn cpe, swb bnt, tpi cpe, tzm ber, vmf gem, vro fiu"
)

# Where the sources are wrong, dated or disputed ---------------------------------------------------

# Natural Earth's map counts French Guiana's land as France's, and is too coarse for two borders.
WRONG_BORDERS = {("BR", "FR"), ("FR", "SR")}
MISSING_BORDERS = {("BR", "GF"), ("GF", "SR"), ("CN", "MO"), ("BW", "ZM")}
MAP_AREAS = {"Kosovo": "XK", "Somaliland": "SO"}
# Empty: disputed (EH, IL, PS), no longer a city (HK), or none at all (TK).
CAPITALS = dict.fromkeys(codes("EH HK IL PS TK"), "")
CAPITALS |= {"MN": "Ulaanbaatar", "PF": "Papeete", "SZ": "Mbabane", "US": "Washington, D.C."}
NOT_OFFICIAL = codes("BF-fr DZ-fr IL-ar MA-fr MA-tzm MG-en ML-fr NE-fr NG-yo TN-fr UA-ru")
NOT_OFFICIAL |= codes("AZ-az_Cyrl BR-vec HR-vec IT-vec SI-vec")
OFFICIAL_TOO = codes("MA-zgh SC-crs")
ALL_OFFICIAL = {"ZA"}  # CLDR calls ten of its eleven official languages regional
NOT_SPOKEN = codes("KZ-de PH-es QA-fa RE-ta SY-fr")
# Bokmål and Nynorsk are there; Coptic is read in church; N’Ko is a script.
NOT_LANGUAGES = codes("no cop nqo")
# CLDR's second name for Hawaii's zone, and the zone of Crimea.
WRONG_ZONES = {("US", "Hawaii"), ("UA", "Moscow")}


class Packages:
    """The source packages of a folder, read from their tar files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, package: str, path: str) -> Any:
        """Return one JSON file of a package."""
        file = self.folder / f"{package}-{PACKAGES[package]}.tgz"
        if not file.exists():
            command = ["npm", "pack", f"{package}@{PACKAGES[package]}", "--silent"]
            subprocess.run(command, cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        with tarfile.open(file) as tar:
            member = tar.extractfile(f"package/{path}")
            assert member is not None, f"{path} is a folder in {file}"
            return json.load(member)

    def supplement(self, name: str) -> Any:
        """Return a table of CLDR that is not in any one language."""
        return self.read("cldr-core", f"supplemental/{name}.json")["supplemental"]

    def english(self, package: str, name: str) -> Any:
        """Return what CLDR says in English."""
        return self.read(f"cldr-{package}-full", f"main/en/{name}.json")["main"]["en"]

    def names(self, kind: str) -> dict[str, str]:
        """Return the English names of territories, languages or scripts by their codes."""
        found: dict[str, str] = self.english("localenames", kind)["localeDisplayNames"][kind]
        return found


def country_names(packages: Packages) -> dict[str, str]:
    """Return the English name of each country and territory, by its ISO code."""
    names = packages.names("territories")
    return {
        code: names[f"{code}-alt-{NAME_VARIANT[code]}" if code in NAME_VARIANT else code]
        for code in sorted(packages.supplement("territoryInfo")["territoryInfo"])
        if code not in LEFT_OUT | {"ZZ"}
    }


def region_facts(packages: Packages, countries: dict[str, str]) -> Iterator[Triple]:
    """Yield subregions, continents, and the members of the European Union and United Nations."""
    contains = packages.supplement("territoryContainment")["territoryContainment"]
    names = packages.names("territories")
    for continent in CONTINENTS:
        for part in contains[continent]["_contains"]:
            if part in countries:  # South America has no subregions
                yield countries[part], "in continent", names[continent]
            elif part in contains and part != "QO":
                yield names[part], "in continent", names[continent]
                for code in sorted(set(contains[part]["_contains"]) & set(countries)):
                    yield countries[code], "in subregion", names[part]
                    yield countries[code], "in continent", names[continent]
    for union in ("EU", "UN"):
        for code in contains[union]["_contains"]:
            yield countries[code], "member of", names[union]


def border_facts(packages: Packages, countries: dict[str, str]) -> Iterator[Triple]:
    """Yield the land borders: two countries are neighbours if their outlines share an arc."""
    codes = packages.supplement("codeMappings")["codeMappings"]
    by_number = {codes[code]["_numeric"]: code for code in countries if code != "XK"}
    owners: dict[int, set[str]] = defaultdict(set)
    world = packages.read("world-atlas", "countries-10m.json")["objects"]["countries"]
    for area in world["geometries"]:
        code = by_number.get(area.get("id"), MAP_AREAS.get(area["properties"]["name"]))
        if code:
            for arc in flatten(area.get("arcs", [])):
                owners[arc if arc >= 0 else ~arc].add(code)  # TopoJSON: ~i is arc i, backwards
    pairs = {(a, b) for group in owners.values() for a in group for b in group if a < b}
    for a, b in sorted(pairs - WRONG_BORDERS | MISSING_BORDERS):
        yield countries[a], "borders", countries[b]
        yield countries[b], "borders", countries[a]


def flatten(nested: list[Any]) -> Iterator[int]:
    """Yield the numbers of lists of lists."""
    for item in nested:
        if isinstance(item, list):
            yield from flatten(item)
        else:
            yield item


def language_facts(packages: Packages, countries: dict[str, str]) -> Iterator[Triple]:
    """Yield the languages of each country, and the script, branch and family of each language."""
    names = packages.names("languages")
    scripts = packages.names("scripts")
    likely = packages.supplement("likelySubtags")["likelySubtags"]
    info = packages.supplement("territoryInfo")["territoryInfo"]

    def script_name(code: str) -> str:
        return scripts.get(f"{code}-alt-stand-alone", scripts[code]) + " script"

    written = packages.supplement("languageData")["languageData"]
    scripts_of: dict[str, set[str]] = {}
    for code, country in countries.items():
        for tag, speakers in info[code].get("languagePopulation", {}).items():
            language, _, script = tag.partition("_")
            status = official_status(code, tag, speakers.get("_officialStatus", ""))
            many = float(speakers["_populationPercent"]) >= SPOKEN_BY
            many = many and f"{code}-{tag}" not in NOT_SPOKEN
            if language not in names or language in NOT_LANGUAGES or not (status or many):
                continue
            script = script or likely.get(f"{language}-{code}", likely[language]).split("-")[1]
            known = written.get(language, {}).get("_scripts", [])
            scripts_of.setdefault(language, set(known)).add(script)
            name = distinct(names[language], "language", countries)
            yield country, "language spoken", name
            if status == "official_regional":
                yield country, "regional language", name
            elif status:
                yield country, "official language", name
                yield country, "writing system", script_name(script)

    parent = language_parents(packages)
    for language in sorted(scripts_of):
        name = distinct(names[language], "language", countries)
        for script in sorted(scripts_of[language]):
            yield name, "written in", script_name(script)
        branch, family = branch_and_family(language, parent)
        if branch:
            yield name, "language branch", f"{branch} languages"
        if family:
            yield name, "language family", f"{family} languages"
        if branch and family:
            yield f"{branch} languages", "language family", f"{family} languages"


def official_status(country: str, tag: str, status: str) -> str:
    """Return CLDR's status of a language in a country, or ours where CLDR's is wrong."""
    if f"{country}-{tag}" in NOT_OFFICIAL:
        return ""
    if f"{country}-{tag}" in OFFICIAL_TOO or (status and country in ALL_OFFICIAL):
        return "official"
    return status


def language_parents(packages: Packages) -> dict[str, str]:
    """Return the group of each language and of each group of languages."""
    groups = packages.supplement("languageGroups")["languageGroups"]
    listed = {child: group for group in sorted(groups) for child in groups[group].split()}
    return listed | GROUP_OF


def branch_and_family(language: str, parent: dict[str, str]) -> tuple[str | None, str | None]:
    """Return the nearest branch and the family of a language, as far as they have names here."""
    branch = None
    while language in parent:
        language = parent[language]
        if language in CREOLES:
            return CREOLES[language], None
        if language in FAMILIES:
            return branch, FAMILIES[language]
        branch = branch or BRANCHES.get(language)
    return branch, None


def everyday_facts(packages: Packages, countries: dict[str, str]) -> Iterator[Triple]:
    """Yield currencies, first days of the week and sides of the road."""
    money = packages.supplement("currencyData")["currencyData"]["region"]
    names = packages.english("numbers", "currencies")["numbers"]["currencies"]
    for code, country in countries.items():
        for period in money[code]:
            for currency, dates in period.items():
                if "_to" not in dates and dates.get("_tender") != "false":
                    yield country, "currency", names[currency]["displayName"]
        yield country, "drives on", "Left" if code in DRIVES_ON_LEFT else "Right"
    days = {"mon": "Monday", "fri": "Friday", "sat": "Saturday", "sun": "Sunday"}
    for code, day in packages.supplement("weekData")["weekData"]["firstDay"].items():
        if code in countries:
            yield countries[code], "week starts on", days[day]


def time_zone_facts(packages: Packages, countries: dict[str, str]) -> Iterator[Triple]:
    """Yield the time zones that each country keeps today, under their common English names."""
    names = packages.english("dates", "timeZoneNames")["dates"]["timeZoneNames"]["metazone"]
    history = packages.supplement("metaZones")["metaZones"]["metazoneInfo"]["timezone"]
    for row in packages.supplement("windowsZones")["windowsZones"]["mapTimezones"]:
        code = row["mapZone"]["_territory"]
        for zone in row["mapZone"]["_type"].split() if code in countries else []:
            periods = history
            for part in zone.split("/"):
                periods = periods.get(part, {})
            today = [p["usesMetazone"] for p in periods if "_to" not in p["usesMetazone"]]
            for metazone in (period["_mzone"] for period in today):
                name = names.get(metazone, {}).get("long")
                if name and (code, metazone) not in WRONG_ZONES:
                    yield countries[code], "time zone", name.get("generic", name["standard"])


def own_facts(packages: Packages, countries: dict[str, str]) -> Iterator[Triple]:
    """Yield capitals, territories and the members of organisations."""
    listed = packages.read("countries-list", "countries.min.json")
    capitals = {code: entry["capital"] for code, entry in listed.items()} | CAPITALS
    uses = Counter(capitals[code] for code in countries)
    for code, country in countries.items():
        capital = capitals[code]
        if capital:
            capital = distinct(capital, "city", countries)
            yield country, "capital", f"{capital} ({country})" if uses[capital] > 1 else capital
    for state, territories in TERRITORY_OF.items():
        for code in territories.split():
            yield countries[code], "territory of", countries[state]
    for organisation, members in MEMBERS.items():
        for code in members.split():
            yield countries[code], "member of", organisation


def distinct(name: str, kind: str, countries: dict[str, str]) -> str:
    """Return the name of a city or language, marked if a country has it too."""
    return f"{name} ({kind})" if name in countries.values() else name


def split(triples: set[Triple]) -> dict[str, list[Triple]]:
    """Hold out valid and test, so that what is held out can be found from what is left.

    All facts between the same two things go to one part: both directions of a border, and a
    country's official language that is also spoken there. Whatever is held out keeps two
    facts in train. Capitals stay in train: nothing else says where they are.
    """
    groups: dict[frozenset[str], list[Triple]] = defaultdict(list)
    for triple in sorted(triples):
        groups[frozenset((triple[0], triple[2]))].append(triple)
    order = sorted(groups.values())
    random.Random(SEED).shuffle(order)
    left = Counter(name for s, _, o in triples for name in (s, o))
    quota = HELD_OUT * len(triples)
    parts: dict[str, list[Triple]] = {"valid": [], "test": [], "train": []}
    for group in order:
        part = next((p for p in ("valid", "test") if len(parts[p]) < quota), "train")
        names = {name for s, _, o in group for name in (s, o)}
        if any(r == "capital" for _, r, _ in group) or any(
            left[name] < len(group) + 2 for name in names
        ):
            part = "train"
        if part != "train":
            left.subtract(dict.fromkeys(names, len(group)))
        parts[part] += group
    return {part: sorted(rows) for part, rows in parts.items()}


def main() -> None:
    """Compile the graph, write its three files and print the counts by relation."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("packages", type=Path, help="folder of the packed source packages")
    parser.add_argument("--out", type=Path, default=Path("src/tucker/graph/world"))
    arguments = parser.parse_args()
    packages = Packages(arguments.packages)
    countries = country_names(packages)
    sources = [region_facts, border_facts, language_facts, everyday_facts, time_zone_facts]
    triples = {t for source in [*sources, own_facts] for t in source(packages, countries)}
    parts = split(triples)
    for part, rows in parts.items():
        text = "".join("\t".join(triple) + "\n" for triple in rows)
        (arguments.out / f"{part}.tsv").write_bytes(text.encode())
    print("| relation | train | valid | test |\n|---|---:|---:|---:|")
    counts = {part: Counter(r for _, r, _ in rows) for part, rows in parts.items()}
    for relation in sorted({r for _, r, _ in triples}):
        cells = [str(counts[part][relation]) for part in ("train", "valid", "test")]
        print(f"| {relation} | {' | '.join(cells)} |")
    totals = [str(len(parts[part])) for part in ("train", "valid", "test")]
    print(f"| **all** | {' | '.join(totals)} |")


if __name__ == "__main__":
    main()
