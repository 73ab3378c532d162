"""Fitted models as ONNX graphs, for runtimes without Python.

``graph`` builds nodes, ``columns`` are what goes in, ``trees`` the weak rules, ``steps`` scikit-learn's preprocessing,
``deciding`` what comes out, ``models`` all of these together; ``export`` is the public function.
"""
