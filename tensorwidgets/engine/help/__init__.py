"""What does help say about an op: signatures, pages, the catalogue, stubs?"""
