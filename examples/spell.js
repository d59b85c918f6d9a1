// Finds the word that a misspelt one may mean: the nearest of a dictionary by edit distance.
const letters = 'etaoinshrdlucmfwypvbgkjqxz';
let seed = 1;

function random(below) {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed % below;
}

function makeWord() {
  let word = '';
  for (let n = 4 + random(8); n > 0; n--)
    word += letters[random(26)];
  return word;
}

// Levenshtein's distance, row by row.
function distance(a, b) {
  let before = [];
  for (let j = 0; j <= b.length; j++)
    before[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(row[j - 1] + 1, before[j] + 1, before[j - 1] + cost);
    }
    before = row;
  }
  return before[b.length];
}

function nearest(word, dictionary) {
  let best = dictionary[0], least = Infinity;
  for (const other of dictionary) {
    if (Math.abs(other.length - word.length) >= least)
      continue;
    const d = distance(word, other);
    if (d < least) {
      least = d;
      best = other;
    }
  }
  return best;
}

function misspell(word) {
  const at = random(word.length);
  return word.slice(0, at) + letters[random(26)] + word.slice(at + 1);
}

const dictionary = Array.from({length: 4000}, makeWord);
let right = 0;
for (let i = 0; i < 3000; i++) {
  const word = dictionary[random(dictionary.length)];
  if (nearest(misspell(word), dictionary) === word)
    right++;
}
console.log(`${right} of 3000`);
