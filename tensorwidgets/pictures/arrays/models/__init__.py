"""What may a picture know of a model, its data and its training?"""
