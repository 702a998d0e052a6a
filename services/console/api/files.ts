import { api, bodyOf } from './client.ts';

/** Uploads a file for a field. Returns the name and the id, which the field then stores. */
async function upload(
  file: File,
  target: { readonly entity: string; readonly field: string },
): Promise<{ readonly id: string; readonly name: string }> {
  const body = {
    name: file.name,
    type: file.type || 'application/octet-stream',
    role: 'Attachment',
    relatedType: target.entity,
    parentType: target.entity,
    field: target.field,
    file: await toDataUrl(file),
  };
  const { id } = (await bodyOf(api.POST('/Attachment', { body: body as never }))) as {
    readonly id: string;
  };
  return { id, name: file.name };
}

/** Uploads sequentially because each file is held in memory while it is sent. */
export async function uploadAll(
  files: readonly File[],
  target: Parameters<typeof upload>[1],
): Promise<readonly Awaited<ReturnType<typeof upload>>[]> {
  const uploaded = [];
  for (const file of files) uploaded.push(await upload(file, target));
  return uploaded;
}

function toDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'));
    reader.readAsDataURL(file);
  });
}
