import { headerRefs } from './headers.ts';
import { operation } from './operation.ts';
import { type Part, refer } from './part.ts';

const text = { type: 'string' };

/** The body of an upload (docs/reference/files.md#uploading). */
export const uploadSchema: Part = {
  type: 'object',
  required: ['name', 'field', 'file'],
  anyOf: [{ required: ['relatedType'] }, { required: ['parentType'] }],
  properties: {
    name: { ...text, minLength: 1, maxLength: 255 },
    type: { ...text, maxLength: 100, description: 'Media type; absent: that of the data URL.' },
    role: { const: 'Attachment' },
    relatedType: { ...text, description: 'Entity type of the field, where it holds one file.' },
    parentType: { ...text, description: 'Entity type of the field, where it holds several.' },
    field: { ...text, description: 'The field that the file is for.' },
    file: { ...text, description: 'The bytes as a data URL in base64.' },
  },
  examples: [
    {
      name: 'a.txt',
      type: 'text/plain',
      role: 'Attachment',
      parentType: 'Case',
      field: 'attachments',
      file: 'data:text/plain;base64,aGk=',
    },
  ],
};

const download: Part = operation({
  id: 'Attachment_file',
  tag: 'Attachment',
  summary: 'Read the bytes of a file',
  description:
    'For who uploaded it, and for who may read the record and the field that hold it. Everything but pictures is sent as a download.',
  parameters: [
    { name: 'Range', in: 'header', schema: { ...text, examples: ['bytes=0-1023'] } },
    { name: 'If-None-Match', in: 'header', schema: text },
    'X-Consistency-Token',
  ],
  answer: {},
  errors: 'read',
  more: {
    206: bytesOf('The part that was asked for.', ['Content-Disposition', 'Content-Range', 'ETag']),
    304: { description: 'The client has these bytes.', headers: headerRefs(['ETag']) },
  },
});

function bytesOf(description: string, headers: Parameters<typeof headerRefs>[0]): Part {
  return {
    description,
    headers: headerRefs(headers),
    content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
  };
}

/** The contents of files. */
export const filePaths: Readonly<Record<string, Part>> = {
  '/Attachment/file/{id}': {
    parameters: [refer('parameters', 'id')],
    get: {
      ...download,
      responses: {
        ...Object(download['responses']),
        200: bytesOf('The file.', ['Content-Disposition', 'ETag']),
      },
    },
  },
};
