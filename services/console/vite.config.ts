import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // The api puts a fresh one into each answer: services/api/http/console-page.ts.
  html: { cspNonce: '__NONCE__' },
  build: {
    target: 'es2023',
    // The policy of the page allows no `data:` but for pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // infra/console/check-budget.ts holds the budget.
    chunkSizeWarningLimit: 2_000,
  },
  // `npm run console`: beside a running `npm start`.
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});
