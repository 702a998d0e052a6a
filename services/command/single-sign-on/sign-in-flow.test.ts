import { describe, expect, it } from 'vitest';
import { generateKey } from '../../../shared/secrets/generate-key.ts';
import { createSecretBox } from '../../../shared/secrets/secret-box.ts';
import { MAX_FLOW_MS, openFlow, sealFlow, startFlow } from './sign-in-flow.ts';

const secrets = createSecretBox(generateKey() + generateKey());
const given = {
  providerId: 'p',
  purpose: 'signIn',
  userId: null,
  redirectUri: 'https://annals.example/oauth-callback.php',
} as const;
const flow = startFlow(given, 0);
const sealed = sealFlow(flow, secrets);

describe('a sign-in flow', () => {
  it('has different random values each time, and fits into a cookie', () => {
    const other = startFlow(given, 0);
    expect(new Set([flow.state, flow.nonce, flow.codeVerifier, other.state]).size).toBe(4);
    expect(sealed.length).toBeLessThan(1_000);
    expect(sealed).toMatch(/^[\w.-]+$/);
  });

  it('is opened on any instance with the key of the installation', () => {
    expect(openFlow(sealed, flow.state, { secrets, now: MAX_FLOW_MS - 1 })).toMatchObject(given);
  });

  it('is not opened without its cookie, with another state, after it has expired, or from another sealed text', () => {
    const other = createSecretBox(generateKey() + generateKey());
    const foreign = secrets.seal(JSON.stringify(flow));
    for (const [text, state, now, box] of [
      [undefined, flow.state, 0, secrets],
      ['v1.nonsense', flow.state, 0, secrets],
      [sealed, 'other', 0, secrets],
      [sealed, flow.state, MAX_FLOW_MS, secrets],
      [sealFlow(flow, other), flow.state, 0, secrets],
      [foreign, flow.state, 0, secrets],
    ] as const) {
      expect(openFlow(text, state, { secrets: box, now })).toBeUndefined();
    }
  });
});
