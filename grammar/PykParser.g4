// The syntax of Python 3.11, from the language reference, chapters 6 to 9.
//
// Written so that one token of look-ahead decides nearly everywhere. For that some rules say a little less than the
// reference, and build_*.cpp says the rest, with a better message than a parser has:
//  - lists are `item (',' item?)*`; that no item is missing between two commas is checked there;
//  - targets of assignments are expressions; which expressions can be assigned to is checked there;
//  - parameters and arguments come in any order; the order is checked there.
//  - operators stand in a row; build_operators.cpp makes the tree. Rules that are left-recursive, ANTLR's own way to say
//    precedence, ask its prediction at every operand, which was a third of the time of parsing.
parser grammar PykParser;

options { tokenVocab = PykLexer; superClass = TreeParser; contextSuperClass = RuleTree; }
@parser::postinclude {#include "syntax/tree_parser.h"}

// A file is `stmt* EOF`. That loop is in parse.cpp, so that each statement's errors are its own.
// Between the braces of an f-string, which is one token.
fieldInput : assigned EOF ;

// --- statements ---------------------------------------------------------------------------------------------------
// At a statement's end its node gets what the Builder makes of its tree, and the tree goes: a function's would be 5 KB
// for each of its statements.
stmt
returns [Made made]
@init { const TreeArena::Mark tree = _tracker.mark(); }
    : ( simpleLine
      | ifStmt
      | whileStmt
      | forStmt
      | tryStmt
      | withStmt
      | matchStmt
      | funcDef
      | classDef
      | decorated
      | asyncStmt
      ) { fold(_localctx, tree); }
    ;

simpleLine : simpleStmt (';' simpleStmt?)* NEWLINE ;

simpleStmt
    : exprStmt
    | 'pass'
    | 'break'
    | 'continue'
    | returnStmt
    | raiseStmt
    | importStmt
    | fromStmt
    | globalStmt
    | delStmt
    | assertStmt
    ;

exprStmt
    : exprList (('=' assigned)+ | augAssign assigned | ':' expression ('=' assigned)?)?
    | yieldExpr
    ;
assigned : exprList | yieldExpr ;
augAssign : '+=' | '-=' | '*=' | '/=' | '//=' | '%=' | '@=' | '&=' | '|=' | '^=' | '<<=' | '>>=' | '**=' ;

returnStmt : 'return' exprList? ;
raiseStmt : 'raise' (expression ('from' expression)?)? ;
globalStmt : ('global' | 'nonlocal') NAME (',' NAME)* ;
delStmt : 'del' exprList ;
assertStmt : 'assert' expression (',' expression)? ;

importStmt : 'import' dottedAs (',' dottedAs)* ;
dottedAs : dottedName ('as' NAME)? ;
dottedName : NAME ('.' NAME)* ;
fromStmt : 'from' ('.' | '...')* dottedName? 'import' ('*' | '(' nameAs (',' nameAs?)* ')' | nameAs (',' nameAs)*) ;
nameAs : NAME ('as' NAME)? ;

block : NEWLINE INDENT stmt+ DEDENT | simpleLine ;

ifStmt : 'if' named ':' block ('elif' named ':' block)* ('else' ':' block)? ;
whileStmt : 'while' named ':' block ('else' ':' block)? ;
forStmt : 'for' targets 'in' exprList ':' block ('else' ':' block)? ;

tryStmt : 'try' ':' block (exceptClause+ ('else' ':' block)? ('finally' ':' block)? | 'finally' ':' block) ;
exceptClause : 'except' '*'? (expression ('as' NAME)?)? ':' block ;

// Parentheses around the items are the statement's own if they can be; otherwise they belong to the first item.
withStmt : 'with' ('(' withItem (',' withItem?)* ')' | withItem (',' withItem)*) ':' block ;
withItem : expression ('as' (bit | star))? ;

decorated : ('@' named NEWLINE)+ (classDef | funcDef | asyncStmt) ;
asyncStmt : 'async' (funcDef | forStmt | withStmt) ;
funcDef : 'def' NAME '(' params? ')' ('->' expression)? ':' block ;
params : param (',' param?)* ;
param
    : NAME (':' expression)? ('=' expression)?
    | '*' (NAME (':' (expression | star))?)?
    | '**' NAME (':' expression)?
    | '/'
    ;
classDef : 'class' NAME ('(' arguments? ')')? ':' block ;

// --- match (MATCH and CASE are NAMEs that indent.cpp found to be keywords) ----------------------------------------
matchStmt : MATCH displayList ':' NEWLINE INDENT caseBlock+ DEDENT ;
caseBlock : CASE patterns ('if' named)? ':' block ;
patterns : (pattern | starPattern) (',' (pattern | starPattern)?)* ;
starPattern : '*' NAME ;
pattern : closedPattern ('|' closedPattern)* ('as' NAME)? ;
closedPattern
    : '-'? NUMBER (('+' | '-') NUMBER)?
    | strings
    | ('None' | 'True' | 'False')
    | NAME ('.' NAME)* ('(' (patternArg (',' patternArg?)*)? ')')?
    | '(' patterns? ')'
    | '[' patterns? ']'
    | '{' (mappingItem (',' mappingItem?)*)? '}'
    ;
patternArg : pattern ('=' pattern)? ;
mappingItem : '**' NAME | closedPattern ':' pattern ;

// --- expressions --------------------------------------------------------------------------------------------------
exprList : (expression | star) (',' (expression | star)?)* ;
targets : (bit | star) (',' (bit | star)?)* ;
star : '*' bit ;
named : expression (':=' expression)? ;
yieldExpr : 'yield' ('from' expression | exprList)? ;

expression
    : logic ('if' logic 'else' expression)?
    | 'lambda' lambdaParams? ':' expression
    ;
lambdaParams : lambdaParam (',' lambdaParam?)* ;
lambdaParam
    : NAME ('=' expression)?
    | '*' NAME?
    | '**' NAME
    | '/'
    ;

// Operators in the order of the text; build_operators.cpp knows their precedence. One rule has them all, since each
// context of ANTLR's costs as much as an operator.
logic
    : 'not'* ('+' | '-' | '~' | 'await')* primary
      ( ( ('**' | '*' | '@' | '/' | '//' | '%' | '+' | '-' | '<<' | '>>' | '&' | '^' | '|')
        | ('<' | '>' | '==' | '>=' | '<=' | '!=' | 'in' | 'not' 'in' | 'is' 'not'?)
        | ('and' | 'or') 'not'*
        )
        ('+' | '-' | '~' | 'await')* primary
      )*
    ;

// Of these what binds tighter than a comparison: where `in` is no operator.
bit
    : ('+' | '-' | '~' | 'await')* primary
      ( ('**' | '*' | '@' | '/' | '//' | '%' | '+' | '-' | '<<' | '>>' | '&' | '^' | '|')
        ('+' | '-' | '~' | 'await')* primary
      )*
    ;

primary
    : (NAME | NUMBER | strings | 'None' | 'True' | 'False' | '...' | group)
      ('.' NAME | '(' arguments? ')' | '[' subscript (',' subscript?)* ']')*
    ;

group
    : '(' (yieldExpr | displayList)? ')'
    | '[' displayList? ']'
    | '{' (braceItem (compClause+ | (',' braceItem?)*))? '}'
    ;

strings : STRING+ ;

// The inside of (...) and [...], and the subject of `match`.
displayList : (named | star) (compClause+ | (',' (named | star)?)*) ;
braceItem : expression (':' expression | ':=' expression)? | '**' bit | star ;
compClause : 'async'? 'for' targets 'in' logic ('if' logic)* ;

subscript : expression (':=' expression | sliceTail)? | sliceTail | '*' expression ;
sliceTail : ':' expression? (':' expression?)? ;

arguments : argument (',' argument?)* ;
argument : expression ('=' expression | (':=' expression)? compClause*) | ('*' | '**') expression ;
