// A fake service for tests of the supervisor: it is ready immediately, never, or, as the api, once a file
// exists.
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';

const { INTERNAL_PORT, INTERNAL_HOST, ANNALS_SUPERVISOR_PID, ANNALS_ACCESS_FILE } = process.env;
const {
  FAKE_SERVICE_FAILS,
  FAKE_SERVICE_API_WAITS_FOR: file = '',
  FAKE_SERVICE_REASON: reason,
} = process.env;
const isApi = ANNALS_ACCESS_FILE !== undefined;

process.stdout.write(
  `${JSON.stringify({ level: 30, msg: 'fake service started', pid: process.pid })}\n`,
);
if (FAKE_SERVICE_FAILS === 'at start') throw new Error('the fake service fails as requested');
process.stdout.write(
  `${JSON.stringify({ level: 40, msg: 'fake service warning', topic: 'tea' })}\n`,
);
if (reason !== undefined) {
  const msg = 'waiting for a part to become available';
  const entry = { level: 50, msg, reason, remedy: 'set the account' };
  process.stdout.write(`${JSON.stringify(entry)}\n`);
}

const server = createServer((request, response) => {
  const readModel = !isApi || file === '' || existsSync(file);
  response.statusCode = request.url === '/readyz' ? (readModel ? 200 : 503) : 404;
  response.end(JSON.stringify({ ready: readModel, checks: { readModel, listening: true } }));
});
server.listen(Number(INTERNAL_PORT), INTERNAL_HOST);
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
setInterval(() => {
  try {
    process.kill(Number(ANNALS_SUPERVISOR_PID), 0);
  } catch {
    process.exit(1);
  }
}, 500).unref();
