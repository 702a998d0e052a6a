/** Returns the name of a field or link for a label: `Phase of build` becomes `phaseOfBuild`. Empty without Latin letters. */
export function deriveName(label: string): string {
  const words = label
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    // Accents that the normalization separated from their letters.
    .replaceAll(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');
  const [first = '', ...others] = words;
  const name = [first, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))];
  return name
    .join('')
    .replace(/^\d+/, '')
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase());
}
