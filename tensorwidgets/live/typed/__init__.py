"""How is what a person types into an explorer read: numbers, lists of whole numbers, bytes?"""
