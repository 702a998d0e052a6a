/** The variables of a service whose value no operator gave: not in the variable, and not in a file that it names. */
export function namesSetByStart(
  operator: NodeJS.ProcessEnv,
  told: NodeJS.ProcessEnv,
): readonly string[] {
  return Object.keys(told).filter(
    (name) =>
      told[name] !== undefined && told[name] !== operator[name] && !operator[`${name}_FILE`],
  );
}
