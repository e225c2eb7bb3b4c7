"""How do bytes get to the disk and back: in a zip archive, at any position, whole or not at all?"""
