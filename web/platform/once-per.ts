/** What belongs to one object as long as that lives, and is the same for everyone who asks. */
export function oncePer<Owner extends object, Made>(
  make: (owner: Owner) => Made,
): (owner: Owner) => Made {
  const known = new WeakMap<Owner, { readonly made: Made }>()
  return (owner) => {
    const found = known.get(owner) ?? { made: make(owner) }
    known.set(owner, found)
    return found.made
  }
}
