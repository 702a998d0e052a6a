import { InvalidSheet } from './invalid-sheet.ts';
import { toCsvBlob } from './to-csv-blob.ts';

/** Converts each received file, so that the page stays responsive. */
self.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
  try {
    self.postMessage({ csv: toCsvBlob(new Uint8Array(data)) });
  } catch (error) {
    self.postMessage({ problem: error instanceof InvalidSheet ? error.problem : 'notSheet' });
  }
};
