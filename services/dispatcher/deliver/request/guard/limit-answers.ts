import type { Socket } from 'node:net';

export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/**
 * Destroys a connection whose response is longer than the limit. Bytes are counted as they arrive, because the parser does
 * not report status lines, chunk extensions and endless informational responses. Call it when undici has the socket: a
 * listener that is added earlier would start the stream before undici reads it. A response starts when a request is
 * written, because there is one request at a time.
 */
export function limitAnswers(socket: Socket, maxBytes: number): void {
  let written = 0;
  let readBefore = 0;
  let read = 0;
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      readBefore = read;
    }
    read = socket.bytesRead;
    if (read - readBefore > maxBytes) socket.destroy(new AnswerTooLong('answer is too long'));
  });
}
