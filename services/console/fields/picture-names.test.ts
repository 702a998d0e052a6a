import { describe, expect, it } from 'vitest';
import { isPictureName } from './picture-names.ts';

describe('isPictureName', () => {
  it.each(['a.png', 'a.b.JPG', 'a.jpeg', 'a.webp', '.gif'])('accepts %s', (name) => {
    expect(isPictureName(name)).toBe(true);
  });

  it.each(['a.svg', 'a.png.html', 'a.bmp', 'png', '', null, 1])(
    'does not take %j for a picture',
    (name) => {
      expect(isPictureName(name)).toBe(false);
    },
  );
});
