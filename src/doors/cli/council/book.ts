// A council of this home, folded as it stands.

import { Book } from '../../../clerk/book.ts'
import { councilProtocol } from '../../../council/council.ts'
import type { CouncilBook } from '../../council/opening.ts'
import type { Home } from '../../home.ts'

export async function bookOf({ office }: Pick<Home, 'office'>, trace: string): Promise<CouncilBook> {
  const book = new Book(office, councilProtocol(office.sha256), trace)
  await book.refresh()
  return book
}
