export type RequestLanguage = 'curl' | 'javascript' | 'python';

/** Returns a program that requests this URL with an API key. */
export function toProgram(url: string, language: RequestLanguage): string {
  switch (language) {
    case 'curl':
      // Inside single quotes, the single quote is the only special character for a shell.
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
