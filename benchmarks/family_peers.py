"""PyKEEN's models on umls and kinship: the peer of each model that it has.

Run by the Python of a virtual environment of its own: it knows PyKEEN, and nothing of tucker. Each
model is trained with several settings on the same split files; the one that is best on the
validation split is tested, once. HypER and ANALOGY are not in PyKEEN.
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import os
import sys
import time
from pathlib import Path
from typing import Any

import torch
from pykeen import get_version
from pykeen.evaluation import RankBasedEvaluator
from pykeen.losses import loss_resolver
from pykeen.models import Model, model_resolver
from pykeen.training import LCWATrainingLoop, SLCWATrainingLoop, SymmetricLCWATrainingLoop
from pykeen.training.callbacks import TrainingCallback
from pykeen.triples import LCWAInstances, TriplesFactory
from torch.utils.data import DataLoader

GRAPHS = ("umls", "kinship")
EPOCHS = 50
VALIDATE_EVERY, PATIENCE = 5, 3  # epochs, validations
HITS = (1, 3, 10)
RESULT = Path("results/benchmarks/family-peers.json")

Settings = dict[str, Any]
SOFTMAX: Settings = {  # over all entities, with inverse relations, as in our recipes
    "loop": "lcwa",
    "loss": "crossentropy",
    "inverse": True,
    "rate": 0.01,
    "batch_size": 128,
}
SMOOTH = SOFTMAX | {"smoothing": 0.1}
BERNOULLI = SOFTMAX | {"loss": "bcewithlogits", "rate": 0.005}
SAMPLED: Settings = {
    "loop": "slcwa",
    "loss": "nssa",
    "loss_options": {"margin": 9.0, "adversarial_temperature": 1.0},
    "negatives": 32,
    "inverse": False,
    "rate": 0.02,
    "batch_size": 512,
}
RGCN = {  # it has inverse edges of its own, and makes all entities anew for each batch
    "loop": "symmetriclcwa",
    "inverse": False,
    "batch_size": 1024,
}
FREE: Settings = {"entity_constrainer": None}  # not bound to the unit sphere
SMALL = {f"{kind}_initializer": "xavier_uniform" for kind in ("entity", "relation")}
CUBES = {"regularizer": "powersum", "regularizer_kwargs": {"p": 3.0, "weight": 0.02}}  # N3
LIGHT = {"dropout_0": 0.0, "dropout_1": 0.0, "dropout_2": 0.2}
FEW = {"input_dropout": 0.1, "feature_map_dropout": 0.1, "output_dropout": 0.2}


def with_model(settings: Settings, options: Settings) -> Settings:
    """Return settings with some more arguments of the model's class."""
    return settings | {"model": settings.get("model", {}) | options}


BILINEAR = [with_model(SOFTMAX, SMALL), with_model(SMOOTH, SMALL)]
CUBED = [*BILINEAR, with_model(SOFTMAX, SMALL | CUBES)]
TRIALS: dict[str, tuple[Settings, list[Settings]]] = {  # dimensions, and settings to try
    "tucker": (
        {"embedding_dim": 100, "relation_dim": 30},
        [with_model(SOFTMAX, LIGHT), with_model(SMOOTH, LIGHT), with_model(BERNOULLI, LIGHT)],
    ),
    "rescal": (
        {"embedding_dim": 100},
        [*(one | {"rate": 0.002} for one in BILINEAR), with_model(SOFTMAX, SMALL | CUBES)],
    ),
    "distmult": (
        {"embedding_dim": 200},
        [SOFTMAX, with_model(SMOOTH, FREE), with_model(SOFTMAX, FREE | CUBES)],
    ),
    "complex": ({"embedding_dim": 100}, CUBED),
    "simple": ({"embedding_dim": 100}, CUBED),
    "cp": ({"embedding_dim": 100, "rank": 1}, BILINEAR),
    "conve": (
        {"embedding_dim": 100, "embedding_height": 10, "embedding_width": 10},
        [with_model(SMOOTH, FEW), with_model(BERNOULLI, FEW)],
    ),
    "transe": (
        {"embedding_dim": 100},
        [SOFTMAX, with_model(SMOOTH, FREE), with_model(SAMPLED, FREE)],
    ),
    "rotate": ({"embedding_dim": 50}, [SOFTMAX, SMOOTH, SAMPLED]),
    "toruse": (
        {"embedding_dim": 100},
        [with_model(SOFTMAX, {"p": 1}), with_model(SMOOTH, {"power_norm": True}), SAMPLED],
    ),
    "rgcn": (
        {"embedding_dim": 100, "num_layers": 1},
        [SOFTMAX | RGCN, SMOOTH | RGCN, SMOOTH | RGCN | {"rate": 0.003, "batch_size": 256}],
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("TUCKER_DATA", ".")))
    parser.add_argument("--model", choices=TRIALS, action="append", help="only these")
    parser.add_argument("--graph", choices=GRAPHS, action="append", help="only these")
    parser.add_argument("--out", type=Path, default=RESULT)
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    gc.freeze()  # PyKEEN collects after each epoch, which takes longer than the epoch
    result = json.loads(options.out.read_bytes()) if options.out.exists() else {}
    result |= {"version": get_version(), "torch": torch.__version__, "threads": 1}
    for graph in options.graph or GRAPHS:
        for name in options.model or TRIALS:
            dimensions, settings = TRIALS[name]
            best = best_of([with_model(one, dimensions) for one in settings], name, options, graph)
            result.setdefault(graph, {})[name] = best
            options.out.parent.mkdir(parents=True, exist_ok=True)
            options.out.write_text(json.dumps(result, indent=2) + "\n")


def best_of(
    trials: list[Settings], name: str, options: argparse.Namespace, graph: str
) -> dict[str, Any]:
    """Train with each of the settings, and test what is best on the validation split."""
    best: dict[str, Any] = {}
    tried = []
    for settings in trials:
        splits = load(options.data / graph, inverse=settings["inverse"])
        start = time.perf_counter()
        model, mrr, epoch = train(name, settings, splits)
        seconds = time.perf_counter() - start
        tried.append({"settings": settings, "valid_mrr": mrr, "seconds": seconds})
        sys.stderr.write(f"{graph} {name}: {mrr:.3f} in {seconds:.0f} s, {settings}\n")
        if not best or mrr > best["valid_mrr"]:
            best = tried[-1] | {"best_epoch": epoch, "model": model, "splits": splits}
    model, (training, valid, test) = best.pop("model"), best.pop("splits")
    known = [training.mapped_triples, valid.mapped_triples]
    return best | {
        "parameters": sum(weights.numel() for weights in model.parameters()),
        "test": figures(model, test, known),
        "tried": tried,
    }


def load(folder: Path, *, inverse: bool) -> tuple[TriplesFactory, TriplesFactory, TriplesFactory]:
    train = TriplesFactory.from_path(folder / "train.txt", create_inverse_triples=inverse)
    ids = {"entity_to_id": train.entity_to_id, "relation_to_id": train.relation_to_id}
    valid, test = (
        TriplesFactory.from_path(folder / f"{split}.txt", **ids) for split in ("valid", "test")
    )
    return train, valid, test


def train(
    name: str, settings: Settings, splits: tuple[TriplesFactory, ...]
) -> tuple[Model, float, int]:
    """Train until validation gets no better; return the best weights, their MRR and epoch."""
    torch.manual_seed(0)
    training, valid, _ = splits
    loss = loss_resolver.make(settings["loss"], settings.get("loss_options"))
    model = model_resolver.make(
        name, settings["model"], triples_factory=training, loss=loss, random_seed=0
    )
    sampling = {"negative_sampler_kwargs": {"num_negs_per_pos": settings.get("negatives")}}
    loop = LOOPS[settings["loop"]](
        **(sampling if "negatives" in settings else {}),
        model=model,
        triples_factory=training,
        optimizer=torch.optim.Adam(model.get_grad_params(), lr=settings["rate"]),
        automatic_memory_optimization=False,
    )
    keeper = KeepBest(valid, [training.mapped_triples])
    loop.train(
        training,
        num_epochs=EPOCHS,
        batch_size=settings["batch_size"],
        label_smoothing=settings.get("smoothing", 0.0),
        callbacks=keeper,
        use_tqdm=False,
    )
    model.load_state_dict(keeper.weights)
    return model, keeper.mrr, keeper.epoch


class ReadyLoop(LCWATrainingLoop):
    """PyKEEN's loop over all entities, its labels made once instead of once an epoch."""

    def _create_training_data_loader(
        self, triples_factory: TriplesFactory, sampler: None, **options: Any
    ) -> DataLoader[Any]:
        made = LCWAInstances.from_triples_factory(triples_factory, target=self.target)
        return DataLoader([made[pair] for pair in range(len(made))], **options)


LOOPS = {"lcwa": ReadyLoop, "symmetriclcwa": SymmetricLCWATrainingLoop, "slcwa": SLCWATrainingLoop}


class KeepBest(TrainingCallback):
    """Validates now and then, keeps the best weights, and stops when they get no better."""

    def __init__(self, valid: TriplesFactory, known: list[torch.Tensor]) -> None:
        super().__init__()
        self.valid, self.known = valid, known
        self.mrr, self.epoch, self.weights = -1.0, 0, {}

    def post_epoch(self, epoch: int, *_: Any, **__: Any) -> None:
        if epoch % VALIDATE_EVERY:
            return
        mrr = figures(self.model, self.valid, self.known)["mrr"]
        self.model.post_parameter_update()  # R-GCN keeps what it made for the validation
        if mrr > self.mrr:
            self.mrr, self.epoch = mrr, epoch
            self.weights = {key: value.clone() for key, value in self.model.state_dict().items()}
        if epoch - self.epoch >= VALIDATE_EVERY * PATIENCE:
            self.training_loop._should_stop = True


def figures(model: Model, split: TriplesFactory, known: list[torch.Tensor]) -> dict[str, float]:
    """Rank a split: filtered, both sides, equal scores at the mean of their ranks."""
    metrics = {"mrr": "inverse_harmonic_mean_rank"} | {f"hits_at_{k}": f"hits_at_{k}" for k in HITS}
    evaluator = RankBasedEvaluator(
        metrics=["mrr", *["hits_at_k"] * len(HITS)],
        metrics_kwargs=[None, *({"k": k} for k in HITS)],
        add_defaults=False,
    )
    found = evaluator.evaluate(
        model,
        split.mapped_triples,
        additional_filter_triples=known,
        batch_size=256,
        use_tqdm=False,
    )
    return {
        ours: float(found.get_metric(f"both.realistic.{theirs}"))
        for ours, theirs in metrics.items()
    }


if __name__ == "__main__":
    main()
