export type RequestLanguage = 'curl' | 'javascript' | 'python';

/** A program that reads this address with an API key. */
export function toProgram(url: string, language: RequestLanguage): string {
  switch (language) {
    case 'curl':
      // Within single quotes a shell reads nothing but the next one.
      return `curl -H 'X-Api-Key: YOUR_KEY' '${url.replaceAll("'", '%27')}'`;
    case 'javascript':
      return [
        `const response = await fetch(${JSON.stringify(url)}, {`,
        `  headers: { 'X-Api-Key': 'YOUR_KEY' },`,
        '});',
        'console.log(await response.json());',
      ].join('\n');
    case 'python':
      return [
        'import json, urllib.request',
        '',
        `request = urllib.request.Request(${JSON.stringify(url)}, headers={"X-Api-Key": "YOUR_KEY"})`,
        'print(json.load(urllib.request.urlopen(request)))',
      ].join('\n');
  }
}
