import type { Socket } from 'node:net';

export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/**
 * Destroys a connection whose answer is longer than any that is read. Bytes are counted as they arrive, since the
 * parser says nothing of status lines, chunk extensions and informational answers without end. Call it when undici
 * has the socket: a listener before its own would start the stream with nobody to read it. An answer begins where
 * a request was written, because there is one request at a time.
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
