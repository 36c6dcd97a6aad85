"""The training loop."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from tucker.errors import SettingsError, TrainingError
from tucker.graph import Answers, with_implied
from tucker.models import Model
from tucker.progress import Progress
from tucker.training.average import Average
from tucker.training.batches import Batch, Batches
from tucker.training.buffers import Buffers, denormals_flushed, keep_freed_memory
from tucker.training.checkpoint import State, load_checkpoint, save_checkpoint
from tucker.training.losses import Loss, Targets, of_scores
from tucker.training.precision import products_of
from tucker.training.regularisers import Auxiliary
from tucker.training.sampling import Candidates
from tucker.training.settings import TrainingSettings
from tucker.training.signals import StopRequest, stop_request
from tucker.training.slicewise import slicewise

_LOOK_EVERY = 8  # batches: the loss that is shown is the mean of one batch in eight

Entry = dict[str, Any]
"""One line of the journal: epoch, loss, learning_rate, seconds, and valid_mrr where validated."""


@dataclass(frozen=True)
class Training:
    """What a finished training says about itself."""

    journal: list[Entry]
    epochs: int
    best_epoch: int
    best_mrr: float | None
    seconds: float
    pairs_per_second: float


class Trainer:
    """Fits a model to known answers, and leaves it with its best weights, or its last."""

    def __init__(
        self,
        model: Model,
        answers: Answers,
        settings: TrainingSettings,
        *,
        seed: int,
        validate: Callable[[Model], float] | None = None,
        checkpoint: Path | None = None,
        report: Callable[[Progress], None] = lambda progress: None,
        record: Callable[[list[Entry]], None] = lambda journal: None,
    ) -> None:
        self._model = model
        self._settings = settings
        self._validate = validate
        self._checkpoint = checkpoint
        self._report = report
        self._record = record
        self.batches = Batches(
            with_implied(answers, settings.implied) if settings.implied else answers,
            batch_size=settings.batch_size,
            group_size=settings.group_size,
            most_answers=settings.most_answers,
            answer_weight=settings.answer_weight,
            degree_weight=settings.degree_weight,
            seed=seed,
        )
        self._loss = Loss(
            settings.loss,
            settings.label_smoothing,
            settings.smoothing_convention,
            products_of(settings.products),
        )
        self._auxiliary = Auxiliary.asked_for(model, settings)
        self._candidates = Candidates(model.n_e, settings.candidates)
        self._parts = _parts(model, settings.ensemble or 1)
        optimiser = {"adam": torch.optim.Adam, "adagrad": torch.optim.Adagrad}[settings.optimiser]
        self._optimiser = optimiser(model.parameters(), lr=settings.learning_rate, fused=True)
        self._buffers = Buffers()
        self._state = State()
        self._best: dict[str, Tensor] | None = None
        self._average = Average(model, settings.average) if settings.average else None

    def resume(self) -> None:
        """Go on from the checkpoint, if there is one."""
        if self._checkpoint and self._checkpoint.exists():
            self._state, more = load_checkpoint(self._checkpoint, self._model, self._optimiser)
            self._best = more.get("best")
            if self._average:
                self._average.weights, self._average.steps = more["average"], self._state.averaged

    def run(self) -> Training:
        """Train until the last epoch or until validation gets no better.

        Asked to stop by SIGINT or SIGTERM, it saves a checkpoint and raises KeyboardInterrupt.
        """
        keep_freed_memory()
        state = self._state
        clock = _Clock(state.seconds, self._settings.checkpoint_minutes * 60)
        with stop_request() as stop, denormals_flushed():
            while not state.done:
                self._epoch(clock, stop)
        self._save()  # what follows may fail, and a resumed run then has nothing to train again
        last = self._average.weights if self._average else None
        if best := self._best or last:
            self._model.load_state_dict(best)
        self._model.eval()
        epochs = len(state.journal)
        return Training(
            journal=state.journal,
            epochs=epochs,
            best_epoch=state.best_epoch or epochs,
            best_mrr=state.best_mrr if state.best_epoch else None,
            seconds=state.seconds,
            pairs_per_second=epochs * len(self.batches) / max(state.seconds, 1e-9),
        )

    def step(self, batch: Batch, *, look: bool = True) -> float | None:
        """Fit the model to one batch, and return its loss if it is looked at."""
        model = self._model
        self._optimiser.zero_grad()
        entities = model.entities()
        objects = model.objects(entities)
        relations = model.relations(batch.r, self._settings.group_size)
        rows, answers = batch.targets.rows, batch.targets.objects
        q = model.ask_blind(batch.s, relations, entities, rows, answers)
        loss, grad_q, grad_objects = self._meet(
            q.detach(), objects.detach(), batch.targets, look=look
        )
        roots, gradients = [q], [grad_q]
        if objects.is_leaf:
            objects.grad = grad_objects  # the backward pass adds its part as subjects
        else:
            roots, gradients = [q, objects], [grad_q, grad_objects]
        if self._auxiliary:
            roots.append(self._auxiliary(batch, relations, self._done()))
            gradients.append(torch.ones_like(roots[-1]))
        torch.autograd.backward(roots, gradients)
        if not torch.isfinite(grad_q.sum() if loss is None else grad_q.sum() + loss):
            raise self._diverged()
        self._optimiser.step()
        if self._average:
            self._average.update()
        return None if loss is None else float(loss)

    @torch.no_grad()
    def _meet(
        self, q: Tensor, objects: Tensor, targets: Targets, *, look: bool
    ) -> tuple[Tensor | None, Tensor, Tensor]:
        """Score queries against all objects or some; return the loss, its gradients by both."""
        settings = self._settings
        gradient = self._buffers.take("objects", *objects.shape, like=objects)
        exact = self._state.epoch > settings.epochs - settings.exact_epochs
        if exact or not settings.candidates:
            return *self._loss_of(q, objects, targets, gradient, look=look), gradient
        ids, targets = self._candidates.draw(targets)
        few = objects[ids]
        grad_few = self._buffers.take("candidates", *few.shape, like=few)
        loss, grad_q = self._loss_of(q, few, targets, grad_few, look=look)
        return loss, grad_q, gradient.zero_().index_copy_(0, ids, grad_few)

    def _loss_of(
        self, q: Tensor, objects: Tensor, targets: Targets, gradient: Tensor, *, look: bool
    ) -> tuple[Tensor | None, Tensor]:
        """Return the loss and its gradient by `q`; overwrite `gradient` with that by `objects`."""
        if self._model.scores_are_queries:
            gradient.zero_()
            return of_scores(q, targets, self._loss)
        if not self._model.meets_by_product:
            loss, grad_q = slicewise(self._model.meet, q, objects, targets, self._loss, gradient)
            return (loss if look else None), grad_q
        parts = zip(*(x.chunk(self._parts, dim=1) for x in (q, objects, gradient)), strict=True)
        losses, gradients = zip(
            *(
                self._loss(of_q, of_objects, targets, into, self._buffers, value=look)
                for of_q, of_objects, into in parts
            ),
            strict=True,
        )
        return (sum(losses) / self._parts if look else None), torch.cat(gradients, dim=1)

    def _diverged(self) -> TrainingError:
        return TrainingError(
            f"the loss is no longer finite in epoch {self._state.epoch}: try a smaller "
            f"training.learning_rate (now {self._settings.learning_rate:g})"
        )

    def _epoch(self, clock: _Clock, stop: StopRequest) -> None:
        state, settings = self._state, self._settings
        self._model.train()
        for batch in self.batches.epoch(state.epoch, start=state.batch):
            for group in self._optimiser.param_groups:
                group["lr"] = self._learning_rate()
            loss = self.step(batch, look=state.batch % _LOOK_EVERY == 0)
            state.batch += 1
            if loss is not None:
                state.loss += (loss - state.loss) / -(-state.batch // _LOOK_EVERY)  # their mean
            clock.pairs += len(batch)
            self._report(self._progress(clock))
            if stop.made or clock.checkpoint_due():
                state.seconds = clock.seconds()
                self._save()
            if stop.made:
                raise KeyboardInterrupt
        entry: Entry = {
            "epoch": state.epoch,
            "loss": state.loss,
            "learning_rate": self._learning_rate(),
        }
        if self._validate and (
            state.epoch % settings.validate_every == 0 or state.epoch == settings.epochs
        ):
            entry["valid_mrr"] = self._keep_best(self._validate)
        state.seconds = entry["seconds"] = clock.seconds()
        state.journal.append(entry)
        self._record(state.journal)
        if not all(torch.isfinite(weights).all() for weights in self._model.parameters()):
            raise self._diverged()
        state.done = state.epoch == settings.epochs or self._out_of_patience()
        state.epoch, state.batch, state.loss = state.epoch + 1, 0, 0.0

    def _learning_rate(self) -> float:
        state, settings = self._state, self._settings
        rate = settings.learning_rate * settings.decay ** (state.epoch - 1)
        return rate * (1 - self._done()) if settings.schedule == "linear" else rate

    def _keep_best(self, validate: Callable[[Model], float]) -> float:
        self._model.eval()
        with self._average.applied() if self._average else nullcontext():
            mrr = validate(self._model)
            better, last = mrr > self._state.best_mrr, self._settings.keep == "last"
            if better or last:
                self._state.best_mrr, self._state.best_epoch = mrr, self._state.epoch
            if better and not last:
                self._best = {name: v.clone() for name, v in self._model.state_dict().items()}
        return mrr

    def _out_of_patience(self) -> bool:
        validated = [entry["epoch"] for entry in self._state.journal if "valid_mrr" in entry]
        since_best: int = sum(epoch > self._state.best_epoch for epoch in validated)
        return 0 < self._settings.patience <= since_best

    def _save(self) -> None:
        if not self._checkpoint:
            return
        more = {"best": self._best} if self._best else {}
        if self._average:
            more["average"] = self._average.weights
            self._state.averaged = self._average.steps
        save_checkpoint(self._checkpoint, self._state, self._model, self._optimiser, more)

    def _done(self) -> float:
        """Return how much of all epochs is done, from 0 to 1."""
        epochs = self._state.epoch - 1 + self._state.batch / self.batches.per_epoch
        return epochs / self._settings.epochs

    def _progress(self, clock: _Clock) -> Progress:
        state, epochs, done = self._state, self._settings.epochs, self._done()
        rate = clock.pairs / max(clock.here(), 1e-9)
        return Progress(
            epoch=state.epoch,
            epochs=epochs,
            done=done,
            loss=state.loss,
            best_mrr=state.best_mrr if state.best_epoch else None,
            pairs_per_second=rate,
            seconds_left=(1 - done) * epochs * len(self.batches) / max(rate, 1e-9),
        )


def _parts(model: Model, wanted: int) -> int:
    """Return into how many parts of equal blocks, each of which could stand alone, a model goes."""
    if model.blocks % wanted:
        raise SettingsError(
            f"training.ensemble is {wanted}: it needs a TuckER whose model.blocks can be divided "
            f"by it, such as {wanted}"
        )
    return wanted


class _Clock:
    """Time spent, over all the parts of a training that was stopped and resumed."""

    def __init__(self, before: float, checkpoint_seconds: float) -> None:
        self._before = before
        self._start = self._saved = time.perf_counter()
        self._checkpoint_seconds = checkpoint_seconds
        self.pairs = 0

    def here(self) -> float:
        return time.perf_counter() - self._start

    def seconds(self) -> float:
        return self._before + self.here()

    def checkpoint_due(self) -> bool:
        now = time.perf_counter()
        if now - self._saved < self._checkpoint_seconds:
            return False
        self._saved = now
        return True
