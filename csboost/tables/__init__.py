"""Tables as people have them, in files: read with what was found in them said in words.

``formats`` finds how a file is written (its kind, encoding, delimiter, decimal mark), ``frames`` reads it as it is,
``cells`` makes numbers and dates of texts, ``labels`` compares class labels, ``columns`` decides what a column is and
converts it, ``names`` finds a column or suggests one, ``spelling`` reads another file's cells as columns found before,
``reading`` puts these together, ``sources`` and ``blocks`` read files larger than memory, ``class_costs`` compares
costs with the classes of a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from csboost._lazy import lazily

# Imported on first use: nobody who brings arrays must pay for pandas' readers.
_HOMES = {
    "Column": "columns",
    "Table": "reading",
    "column_names": "blocks",
    "label_texts": "labels",
    "read_blocks": "blocks",
    "read_table": "reading",
}

__all__ = list(_HOMES)

if TYPE_CHECKING:
    from csboost.tables.blocks import column_names as column_names
    from csboost.tables.blocks import read_blocks as read_blocks
    from csboost.tables.columns import Column as Column
    from csboost.tables.labels import label_texts as label_texts
    from csboost.tables.reading import Table as Table
    from csboost.tables.reading import read_table as read_table
else:
    __getattr__, __dir__ = lazily(__name__, _HOMES)
