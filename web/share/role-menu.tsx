/** A choice of what somebody may do. */
import type { GivenRole } from '../api/sharing.ts'
import { OptionMenu, type OptionMenuProps } from '../platform/option-menu.tsx'
import { canMore, canWords, roles } from './words.ts'

interface RoleMenuProps extends Omit<OptionMenuProps<GivenRole>, 'options'> {
  /** It can be taken, and not made another. */
  readonly isFixed?: boolean
}

export function RoleMenu({ isFixed = false, ...props }: RoleMenuProps) {
  const options = isFixed ? roleOptions.filter(({ value }) => value === props.value) : roleOptions
  return <OptionMenu {...props} options={options} />
}

const roleOptions = roles.map((value) => ({
  value,
  label: canWords[value],
  more: canMore[value],
}))
