/**
 * Serves the console from its sources with hot reload, and forwards requests to the api. Arguments: the URL of the api,
 * by default that of `npm start`, and the port, by default Vite's.
 */
import { createServer } from 'vite';
import { watchProcess } from '../../shared/runtime/watch-process.ts';
import { consoleSources } from './console-build.ts';

const [apiUrl = 'http://127.0.0.1:8080', port = '5173'] = process.argv.slice(2);
const server = await createServer({
  root: consoleSources,
  server: {
    host: '127.0.0.1',
    port: Number(port),
    strictPort: true,
    proxy: { '^/api/(?:docs|scim|v1)': apiUrl },
  },
});
await server.listen();
server.printUrls();
watchProcess({ pid: process.ppid, intervalMs: 1_000, onGone: () => process.exit() });
