"""Fitted models in files that last: arrays and JSON, no pickle.

``kinds`` names the classes whose objects a file may hold, ``values`` and ``encoding`` write what they are made of,
``decoding`` reads it, ``soundness`` checks what compiled code would trust, ``info`` what a file says of its
model beside, ``archive`` is the file itself.
"""
