// The image's health check. Plain JavaScript, because it runs every few seconds in every container and must start fast.
import { get } from 'node:http';

const url = `http://127.0.0.1:${process.env['INTERNAL_PORT']}/readyz`;
process.exitCode = 1;
get(url, { timeout: 2_000 }, (response) => {
  process.exitCode = response.statusCode === 200 ? 0 : 1;
  response.resume();
})
  .on('timeout', () => process.exit(1))
  .on('error', () => undefined);
