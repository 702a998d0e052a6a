/** Returns the variables of a service that the operator set neither directly nor by a `_FILE` variable. */
export function namesSetByStart(
  operator: NodeJS.ProcessEnv,
  passed: NodeJS.ProcessEnv,
): readonly string[] {
  return Object.keys(passed).filter(
    (name) =>
      passed[name] !== undefined && passed[name] !== operator[name] && !operator[`${name}_FILE`],
  );
}
