import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { withPassword } from './credentials.ts';
import type { StartedProduct } from './harness/product.ts';

export interface Uploaded {
  readonly id: string;
  readonly sha256: string;
}

/** Returns the headers with the administrator's password. */
export const administratorHeaders = ({ access }: Pick<StartedProduct, 'access'>) =>
  withPassword(access().admin)('', '');

/** Uploads random bytes as a multipart form for a field of cases. */
export async function uploadFile(product: StartedProduct, size: number): Promise<Uploaded> {
  const content = randomBytes(size);
  const form = new FormData();
  form.set('parentType', 'Case');
  form.set('field', 'attachments');
  form.set('file', new Blob([content]), 'a.bin');
  const init = { method: 'POST', headers: administratorHeaders(product), body: form };
  const answer = await fetch(`${product.url}/api/v1/Attachment`, init);
  expect(answer.status).toBe(200);
  const { id } = (await answer.json()) as { readonly id: string };
  return { id, sha256: createHash('sha256').update(content).digest('hex') };
}
