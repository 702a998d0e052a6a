import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // services/api/http/console-page.ts inserts a fresh nonce into each response.
  html: { cspNonce: '__NONCE__' },
  build: {
    target: 'es2023',
    // The content security policy allows `data:` URLs only for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // infra/console/check-budget.ts enforces the budget instead.
    chunkSizeWarningLimit: 2_000,
  },
});
