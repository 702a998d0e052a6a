/** Names of which a third have letters with accents. The combinations give 900 last names, some of them double. */
const firstNames = `Adam Amelia Anna Anton Ben Björn Carla Chloé Clara David Elif Emil Emma Finn Frida Greta Hanna Henri
  Ida Jakob Jörg Jürgen Karl Lara Leon Lina Luis Maria Mia Noah Olga Paul Pia René Rosa Søren Thea Theo Tom Valérie Zoe`;
const beginnings = `Acker Alt Bach Berg Böhm Brand Buch Diet Eber Feld Frei Gärt Gold Groß Hart Hof Hörn Kalt König Lang
  Lüden Mülle Neu Pfeif Rosen Schröde Stein Vogel Wald Weiß`;
const endings = `bauer bach berg blum burg dorf feld fels garten hain haus heim hofer holz horn hut ing ler ling mann meier
  müller r rath scheidt stein stock thal weg werth`;
const companies = `alpenbau nordlicht seeblick kranich falke eisvogel sonnenhof waldheim bergwerk hafen`;

/**
 * SQL for the columns of the Contact with `number`, which differ from those of `fillContacts`. Two of three have a
 * telephone number.
 */
export const people: Readonly<Record<string, string>> = {
  first_name: first(),
  last_name: last(),
  name: `${first()} || ' ' || ${last()}`,
  email_address: `'contact' || number || '@mail.' || ${pick(companies, 'number')} || '.example'`,
  phone_number: `case when number % 3 > 0 then ${phone('number')} end`,
};

/** The number of the Contact whose telephone number is searched. */
const called = 4_999;

/** The digits of its telephone number after the country code and the area code. */
export const calledDigits = String((called * 7_919) % 10_000_000).padStart(7, '0');

function phone(number: string): string {
  return `'+49171' || lpad((${number}::bigint * 7919 % 10000000)::text, 7, '0')`;
}

function first(): string {
  return pick(firstNames, 'number');
}

function last(): string {
  const one = (seed: string) => `${pick(beginnings, seed)} || ${pick(endings, `${seed} / 30`)}`;
  return `${one('(number / 41)')} || case when number % 11 = 0 then '-' || ${one('(number / 53)')} else '' end`;
}

function pick(names: string, seed: string): string {
  const all = names.split(/\s+/);
  return `(array['${all.join("','")}'])[1 + ${seed} % ${all.length}]`;
}
