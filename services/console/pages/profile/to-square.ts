/** Twice the largest size in which pictures are shown. */
const sidePixels = 256;

/** Returns the middle of a picture as a small square. Throws if the browser cannot read the picture. */
export async function toSquare(file: File): Promise<File> {
  const picture = await createImageBitmap(file);
  const side = Math.min(picture.width, picture.height);
  const canvas = document.createElement('canvas');
  canvas.width = sidePixels;
  canvas.height = sidePixels;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser does not support drawing.');
  // JPEG has no transparency.
  context.fillStyle = 'white';
  context.fillRect(0, 0, sidePixels, sidePixels);
  const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2];
  context.drawImage(picture, left, top, side, side, 0, 0, sidePixels, sidePixels);
  picture.close();
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', 0.9);
  });
  if (blob === null) throw new Error('The browser cannot write pictures.');
  return new File([blob], 'picture.jpg', { type: blob.type });
}
