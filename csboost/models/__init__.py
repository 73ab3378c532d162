"""Fitted models in files that last: arrays and JSON, no pickle.

``kinds`` names the classes whose objects a file may hold, ``absent`` stands for a user's own loss, which none holds;
``values`` and ``encoding`` write what they are made of, ``decoding`` reads it, ``soundness`` checks what compiled code
would trust and ``foreign`` what scikit-learn's would, ``info`` what a file says of its model beside, ``archive`` is the
file itself; ``saving`` and ``loading`` put these together.
"""
