type Authorized = Readonly<Record<string, { readonly value: unknown }>>;

/** What Swagger UI hands to its plugins, as far as it is used. */
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
 * Plugin of Swagger UI: whenever the visitor has entered credentials, the document of the API is loaded with them. It
 * runs in the browser, where it is sent as text, so it refers to nothing outside itself.
 */
export function loadWhenAuthorized() {
  const headerNames: Readonly<Record<string, string>> = {
    ApiKey: 'X-Api-Key',
    Hmac: 'X-Hmac-Authorization',
    EspoAuthorization: 'Espo-Authorization',
    Basic: 'Authorization',
  };

  function toHeader(value: unknown): string {
    if (typeof value === 'string') return value;
    const { username, password } = Object(value);
    const bytes = new TextEncoder().encode(`${username}:${password}`);
    return `Basic ${btoa(String.fromCharCode(...bytes))}`;
  }

  async function load(system: System, authId: string, value: unknown): Promise<void> {
    const headers = { [headerNames[authId] ?? authId]: toHeader(value) };
    const refused = (message: string) => {
      system.errActions.newAuthErr({ authId, level: 'error', source: 'auth', message });
    };
    try {
      const answer = await fetch('/api/v1/OpenApi', { headers });
      const text = await answer.text();
      if (answer.ok) system.specActions.updateSpec(text);
      else refused(JSON.parse(text).message ?? `Status ${answer.status}`);
    } catch (error) {
      refused(String(error));
    }
  }

  return {
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
