type Credentials = string | { readonly username: string; readonly password: string };
type Authorized = Readonly<Record<string, { readonly value: Credentials }>>;

/** The parts of Swagger UI's plugin system that are used here. */
interface System {
  readonly specActions: { updateSpec(text: string): void };
  readonly errActions: {
    newAuthErr(error: {
      readonly authId: string;
      readonly level: 'error';
      readonly source: 'auth';
      readonly message: string;
    }): void;
  };
}

type Authorize = (authorized: Authorized) => unknown;

/**
 * Swagger UI plugin that loads the API document: with the visitor's console session, if there is one, and again
 * whenever the visitor enters credentials. The function is sent as text and runs in the browser, so it must not refer
 * to anything outside itself.
 */
export function loadWhenAuthorized() {
  const headerNames: Readonly<Record<string, string>> = {
    ApiKey: 'X-Api-Key',
    Hmac: 'X-Hmac-Authorization',
    EspoAuthorization: 'Espo-Authorization',
    Basic: 'Authorization',
  };

  function toHeader(value: Credentials): string {
    if (typeof value === 'string') return value;
    const bytes = new TextEncoder().encode(`${value.username}:${value.password}`);
    return `Basic ${btoa(String.fromCharCode(...bytes))}`;
  }

  async function load(system: System, authId: string, value: Credentials): Promise<void> {
    const headers = { [headerNames[authId] ?? authId]: toHeader(value) };
    const showError = (message: string) => {
      system.errActions.newAuthErr({ authId, level: 'error', source: 'auth', message });
    };
    try {
      const answer = await fetch('/api/v1/OpenApi', { headers });
      const text = await answer.text();
      if (answer.ok) system.specActions.updateSpec(text);
      else showError(JSON.parse(text).message ?? `Status ${answer.status}`);
    } catch (error) {
      showError(String(error));
    }
  }

  /** Without a session, or without permission, the page shows how to enter credentials. */
  async function loadWithSession({ specActions }: System): Promise<void> {
    try {
      const headers = { 'X-Requested-With': 'XMLHttpRequest' };
      const answer = await fetch('/api/v1/OpenApi', { headers, credentials: 'same-origin' });
      if (answer.ok) specActions.updateSpec(await answer.text());
    } catch {
      // Entering credentials repeats the request, and shows why it fails.
    }
  }

  return {
    afterLoad(system: System): void {
      void loadWithSession(system);
    },
    statePlugins: {
      auth: {
        wrapActions: {
          authorize: (authorize: Authorize, system: System) => (authorized: Authorized) => {
            for (const [authId, { value }] of Object.entries(authorized)) {
              void load(system, authId, value);
            }
            return authorize(authorized);
          },
        },
      },
    },
  };
}
