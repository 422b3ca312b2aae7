// Is a selection of variables an answer? Checks each rule separately, independent of how the selection was found.

/** What is wrong with a selection, in words; nothing if it is an answer. */
export function violations(variables, selection) {
  const selected = new Set(selection);
  const found = [];
  const known = new Set(variables.map(({ id }) => id));
  for (const id of selected) if (!known.has(id)) found.push(`there is no variable ${id}`);
  for (const { id, m, p, d, c, a } of variables) {
    for (const [most, ...ids] of a ?? []) {
      const many = ids.filter((one) => selected.has(one)).length;
      if (many > most) found.push(`${many} of at most ${most} (${id})`);
    }
    if (!selected.has(id)) {
      if (m) found.push(`${id} is missing`);
      continue;
    }
    if (p) found.push(`${id} is prohibited`);
    for (const candidates of d ?? [])
      if (!candidates.some((one) => selected.has(one))) found.push(`${id} lacks a dependency`);
    for (const other of c ?? []) if (selected.has(other)) found.push(`${id} and ${other} are in conflict`);
  }
  return found;
}
