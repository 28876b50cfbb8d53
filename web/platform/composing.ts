/** Keys that belong to an input method. */

/**
 * Whether an input method answers this key, so that nobody else does. Safari ends a composition
 * before it tells of the Enter that ended it, and tells of that by the key code alone.
 */
export const isComposing = (event: KeyboardEvent | { readonly nativeEvent: KeyboardEvent }) => {
  const key = 'nativeEvent' in event ? event.nativeEvent : event
  return key.isComposing || key.keyCode === 229
}
