import { InvalidSheet } from './invalid-sheet.ts';

/** Larger files would not fit into the memory of the page. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** Returns a chosen file as CSV. A spreadsheet is converted, and keeps its name. */
export async function asCsvFile(file: File): Promise<File> {
  if (!(await isSheet(file))) return file;
  if (file.size > MAX_FILE_BYTES) throw new InvalidSheet('tooLarge');
  const csv = await convert(await file.arrayBuffer());
  return new File([csv], file.name, { type: 'text/csv', lastModified: file.lastModified });
}

/** Recognizes spreadsheets by their name and their first bytes, also the former XLS format, which is not supported. */
async function isSheet(file: File): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const begins = (...bytes: readonly number[]) =>
    bytes.every((byte, index) => start[index] === byte);
  return (
    /\.xls[xm]?$/i.test(file.name) || begins(0x50, 0x4b, 3, 4) || begins(0xd0, 0xcf, 0x11, 0xe0)
  );
}

async function convert(bytes: ArrayBuffer): Promise<Blob> {
  const worker = new Worker(new URL('./convert-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => {
        if (data.csv instanceof Blob) resolve(data.csv);
        else reject(new InvalidSheet(data.problem));
      };
      // The worker has run out of memory, or could not be loaded.
      worker.onerror = () => reject(new InvalidSheet('tooLarge'));
      worker.postMessage(bytes, [bytes]);
    });
  } finally {
    worker.terminate();
  }
}
