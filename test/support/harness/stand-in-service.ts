// Stands in for a service where only the supervisor is tested: it is ready at once, or never.
import { createServer } from 'node:http';

const { INTERNAL_PORT, INTERNAL_HOST, ANNALS_SUPERVISOR_PID, STAND_IN_FAILS } = process.env;

process.stdout.write(`${JSON.stringify({ level: 30, msg: 'stand-in started' })}\n`);
if (STAND_IN_FAILS === 'at start') throw new Error('the stand-in was told to fail');
process.stdout.write(`${JSON.stringify({ level: 40, msg: 'stand-in warns', topic: 'tea' })}\n`);

const server = createServer((request, response) => {
  response.statusCode = request.url === '/readyz' ? 200 : 404;
  response.end('{}');
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
