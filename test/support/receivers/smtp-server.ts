/**
 * A mail server, as a program. Prints one JSON line when it listens, and one for each message. The recipient determines
 * the reply:
 *
 *   later@…  451 to the first message, then accepted
 *   never@…  550
 *   hang@…   no reply to the first message, which it has received, then accepted
 *   others   accepted
 *
 * Arguments: port, and optionally the user and the password that it requires.
 */
import { SMTPServer } from 'smtp-server';

const [port = '0', user, password] = process.argv.slice(2);
const counts = new Map<string, number>();

const server = new SMTPServer({
  disabledCommands: user === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
  authOptional: user === undefined,
  allowInsecureAuth: true,
  onAuth(auth, _session, callback) {
    if (auth.username === user && auth.password === password) callback(null, { user });
    else callback(new Error('Wrong credentials'));
  },
  onRcptTo({ address }, _session, callback) {
    if (address.startsWith('never')) {
      callback(toReply(550, `5.1.1 <${address}> see https://mail.example/rejected`));
    } else callback();
  },
  onData(stream, { envelope }, callback) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const to = envelope.rcptTo.map(({ address }) => address).join();
      const nth = (counts.get(to) ?? 0) + 1;
      counts.set(to, nth);
      const raw = Buffer.concat(chunks).toString('utf8');
      printLine({ to, raw });
      if (nth === 1 && to.startsWith('later')) callback(toReply(451, '4.3.0 try again later'));
      else if (nth > 1 || !to.startsWith('hang')) callback();
    });
  },
});

server.listen(Number(port), '127.0.0.1', () => {
  printLine({ port: (server.server.address() as { readonly port: number }).port });
});

function toReply(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

function printLine(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
