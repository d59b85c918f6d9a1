"""Counts words."""
import re


def tokens(text):
	for word in re.findall(r"\w+", text):
		yield word.lower()  # wide: 漢字, combining: é


def count(text):
    words = {}
    for word in tokens(text):
        words[word] = words.get(word, 0) + 1
    return sorted(words.items(), key=lambda item: (-item[1], item[0]), reverse=False)[:10]  # a line that is longer than a screen is wide


def main():
    text = open("book.txt").read()
    for word, n in count(text):
        print(word, n)
