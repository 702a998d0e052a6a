import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * Removes a font from the styles of a library. The console does not show its icons, and browsers report fonts in `data:`
 * URLs, which the content security policy does not allow, even if they are unused.
 */
const withoutIconFont = {
  name: 'without-icon-font',
  transform: (code: string, id: string) =>
    id.includes('@fullcalendar/core')
      ? code.replace(/@font-face\{font-family:fcicons[^}]*\}/, '')
      : undefined,
};

export default defineConfig({
  plugins: [react(), withoutIconFont],
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
