const pictureName = /\.(?:png|jpe?g|webp|gif)$/i;

/** True if a file's name is that of a picture that browsers can show without running scripts. */
export function isPictureName(name: unknown): boolean {
  return typeof name === 'string' && pictureName.test(name);
}
