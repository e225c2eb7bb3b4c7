"""What may a picture know of an array, whatever library it is from?"""
