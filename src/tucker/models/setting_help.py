"""What each setting of a model does: one sentence for every keyword of the models' classes."""

from __future__ import annotations

MODEL_SETTINGS: dict[str, str] = {
    "d_e": "The number of dimensions of an entity embedding.",
    "d_r": "The number of dimensions of a relation embedding.",
    "blocks": "How many equal blocks the core tensor has on its diagonal, with zeros elsewhere. "
    "More blocks need fewer weights for the same dimensions. 1 is a full core.",
    "dropout_subject": "Dropout of the subject embedding (d#1 in the paper).",
    "dropout_relation": "Dropout of the relation matrix W ×₂ w_r (d#2 in the paper).",
    "dropout_query": "Dropout of the query, which is what meets the object embeddings (d#3 in the "
    "paper).",
    "batch_norm": "Whether the subject embedding and the query are batch normalised.",
    "initial_width": "Draw all first weights evenly from −width to width. Without it, embeddings "
    "are drawn as Xavier and Glorot do, and the core from −1 to 1.",
    "filters": "The number of convolution filters.",
    "kernel": "The width of a filter; ConvE's filters are squares.",
    "dropout_input": "Dropout of the input of the convolution.",
    "dropout_features": "Dropout of whole feature maps.",
    "norm": "The norm that measures distance.",
    "gamma": "γ: the distance at which a fact is as likely as not. The softmax loss does not use "
    "it, but the first embeddings are drawn by it.",
    "scale": "How many times the distance on the torus counts. A larger one allows surer answers.",
    "layers": "The number of graph convolution layers.",
    "bases": "The number of basis matrices that the relations of a layer share.",
    "dropout_edges": "Dropout of the edges that messages pass along.",
    "dropout_self": "Dropout of an entity's message to itself.",
}
"""By name; a name means the same in every model that has it."""
