import { generate } from 'selfsigned';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;

/** A certificate authority of the test, to be trusted explicitly. */
export async function createAuthority() {
  const names = [{ name: 'commonName', value: 'Annals test authority' }];
  const pems = await generate(names, {
    ...modern,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const authority = { cert: pems.cert, key: pems.private };
  return {
    cert: authority.cert,
    issue: (name: string) => issue(name, { ca: authority }),
    issueExpired: (name: string) =>
      issue(name, {
        ca: authority,
        notBeforeDate: new Date(Date.now() - 2 * DAY_MS),
        notAfterDate: new Date(Date.now() - DAY_MS),
      }),
  };
}

export const createSelfSigned = (name: string): Promise<Certificate> => issue(name, {});

const modern = { keyType: 'ec', algorithm: 'sha256' } as const;

async function issue(
  name: string,
  options: Parameters<typeof generate>[1] & object,
): Promise<Certificate> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    ...modern,
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
    ...options,
  });
  return { cert, key };
}
