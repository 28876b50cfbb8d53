/** The sign of each kind of block. */
import {
  AppWindow,
  Code,
  Heading1,
  Heading2,
  Heading3,
  Heading4,
  Heading5,
  Heading6,
  Image,
  List,
  ListOrdered,
  ListTodo,
  type LucideIcon,
  MessageSquareWarning,
  Minus,
  Table,
  TextQuote,
  Type,
} from 'lucide-react'
import type { SlashItemName } from './slash-items.ts'

const icons: Readonly<Record<SlashItemName, LucideIcon>> = {
  text: Type,
  'heading-1': Heading1,
  'heading-2': Heading2,
  'heading-3': Heading3,
  'heading-4': Heading4,
  'heading-5': Heading5,
  'heading-6': Heading6,
  bullet: List,
  ordered: ListOrdered,
  task: ListTodo,
  quote: TextQuote,
  code: Code,
  rule: Minus,
  table: Table,
  image: Image,
  artifact: AppWindow,
  callout: MessageSquareWarning,
}

export function KindIcon({ name }: { readonly name: SlashItemName }) {
  const Icon = icons[name]
  return <Icon aria-hidden />
}
