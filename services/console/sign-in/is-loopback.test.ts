import { describe, expect, it } from 'vitest';
import { isLoopback } from './is-loopback.ts';

describe('isLoopback', () => {
  it.each([
    'http://localhost:8080',
    'http://annals.localhost',
    'http://127.0.0.1:8080',
    'http://127.1.2.3',
    'http://[::1]:8080',
  ])('is true for %s', (address) => {
    expect(isLoopback(new URL(address).hostname)).toBe(true);
  });

  it.each([
    'https://annals.example',
    'https://localhost.example',
    'https://notlocalhost',
    'https://127.0.0.1.example',
    'http://10.0.0.1:8080',
    'http://[::2]',
  ])('is false for %s', (address) => {
    expect(isLoopback(new URL(address).hostname)).toBe(false);
  });
});
