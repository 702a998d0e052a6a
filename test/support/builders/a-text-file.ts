/** Returns the request body that uploads a text file for a Case. */
export function aTextFile(content: string) {
  return {
    name: 'kept.txt',
    type: 'text/plain',
    role: 'Attachment',
    parentType: 'Case',
    field: 'attachments',
    file: `data:text/plain;base64,${Buffer.from(content).toString('base64')}`,
  };
}
