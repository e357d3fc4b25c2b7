(** A past formula is a monitor: each temporal operator is one cell with a
    bounded state, and what the cells compute step by step is the value of the
    formula at every position. The cells are those of `logic::memory`. *)

From Coq Require Import Arith Lia Classical List Bool.
From Shall Require Import Definitions Runs Operators Ways.
Import ListNotations.

(** * Cells *)

(** The memory of `way S target` over a window. *)
Inductive cell := Now | Latch | Recent (n : nat) | Oldest (n : nat) | Clock (lo : nat) (hi : option nat).

(** Whether the operator holds at a step, and the number stored after it.
    Before the first step, 0 is stored. *)
Definition cell_step (c : cell) (before : nat) (way target : bool) : bool * nat :=
  match c with
  | Now => (target, 0)
  | Latch => let holds := target || way && (before =? 1) in (holds, if holds then 1 else 0)
  | Recent n =>
      (target || way && (0 <? before), if target then n else if way then before - 1 else 0)
  | Oldest n =>
      let on := way && (0 <? before) in
      (on && (n <=? before), if on then Nat.min before n + 1 else if target then 1 else 0)
  | Clock lo hi =>
      ((lo <=? before) && match hi with Some h => before <=? h | None => true end,
       Nat.min (before + 1) (match hi with Some h => h + 1 | None => lo end))
  end.

(** The number stored before step i, and the output at step i. *)
Fixpoint stored (c : cell) (way target : nat -> bool) (i : nat) : nat :=
  match i with
  | 0 => 0
  | S i => snd (cell_step c (stored c way target i) (way i) (target i))
  end.

Definition output (c : cell) (way target : nat -> bool) (i : nat) : bool :=
  fst (cell_step c (stored c way target i) (way i) (target i)).

(** [way] since [target], which was at least [lo] and at most [hi] steps ago. *)
Definition since (lo : nat) (hi : option nat) (way target : nat -> bool) (i : nat) : Prop :=
  exists k, lo <= k /\ upto hi k /\ k <= i /\ target (i - k) = true /\ forall j, j < k -> way (i - j) = true.

Section Cells.
Variables way target : nat -> bool.

Lemma since_0 hi i : since 0 hi way target i <->
  target i = true \/ (match hi with Some 0 => False | _ => True end /\ 1 <= i /\ way i = true /\
    since 0 (match hi with Some h => Some (h - 1) | None => None end) way target (i - 1)).
Proof.
  split.
  - intros [k [_ [Hu [Hk [Ht Hw]]]]]. destruct k as [|k]; [left; rewrite Nat.sub_0_r in Ht; assumption | right].
    split; [destruct hi as [[|h]|]; simpl in *; auto; lia |]. split; [lia |].
    split; [rewrite <- (Nat.sub_0_r i); apply Hw; lia |]. exists k.
    split; [lia | split; [destruct hi; simpl in *; auto; lia | split; [lia | split]]].
    + replace (i - 1 - k) with (i - S k) by lia. assumption.
    + intros j Hj. replace (i - 1 - j) with (i - S j) by lia. apply Hw. lia.
  - intros [Ht | [Hhi [Hi [Hwi [k [_ [Hu [Hk [Ht Hw]]]]]]]]].
    + exists 0. rewrite Nat.sub_0_r. repeat split; auto; try lia. destruct hi; simpl; auto; lia.
    + exists (S k). split; [lia | split; [destruct hi as [[|h]|]; simpl in *; auto; lia | split; [lia | split]]].
      * replace (i - S k) with (i - 1 - k) by lia. assumption.
      * intros [|j] Hj; [rewrite Nat.sub_0_r; assumption |]. replace (i - S j) with (i - 1 - j) by lia. apply Hw. lia.
Qed.

Theorem now_is i : output Now way target i = true <-> since 0 (Some 0) way target i.
Proof. rewrite since_0. unfold output. simpl. tauto. Qed.

(** A latch stores one bit: whether the operator held. *)
Lemma latch_stored i : (stored Latch way target i = 1 <-> 1 <= i /\ since 0 None way target (i - 1)) /\ stored Latch way target i <= 1.
Proof.
  induction i as [|i [IH IH']].
  - simpl. split; [lia | lia].
  - replace (S i - 1) with i by lia. cbn [stored cell_step snd]. rewrite since_0.
    destruct (target i) eqn:Et, (way i) eqn:Ew, (Nat.eqb_spec (stored Latch way target i) 1); simpl; split; try lia; intuition (try lia; try congruence).
Qed.

Theorem latch_is i : output Latch way target i = true <-> since 0 None way target i.
Proof.
  rewrite since_0. unfold output. cbn [cell_step fst]. pose proof (latch_stored i) as [Hs _].
  destruct (target i) eqn:Et, (way i) eqn:Ew, (Nat.eqb_spec (stored Latch way target i) 1); simpl; intuition (try lia; try congruence).
Qed.

(** A counter stores for how many steps the latest target still counts. *)
Lemma recent_stored n i : (forall x, 1 <= x -> (x <= stored (Recent n) way target i <-> 1 <= i /\ x <= n /\ since 0 (Some (n - x)) way target (i - 1))) /\
  stored (Recent n) way target i <= n.
Proof.
  induction i as [|i [IH IH']].
  - simpl. split; [intros x; lia | lia].
  - replace (S i - 1) with i by lia. cbn [stored cell_step snd]. split.
    + intros x Hx. rewrite since_0. destruct (target i) eqn:Et.
      * intuition lia.
      * destruct (way i) eqn:Ew.
        -- specialize (IH (x + 1)).
           replace (x <= stored (Recent n) way target i - 1) with (x <= stored (Recent n) way target i - 1) by reflexivity.
           assert (x <= stored (Recent n) way target i - 1 <-> x + 1 <= stored (Recent n) way target i) as -> by lia.
           rewrite IH by lia. replace (n - (x + 1)) with (n - x - 1) by lia. split.
           ++ intros [H1 [H2 H3]]. split; [lia | split; [lia | right]]. destruct (n - x) as [|y] eqn:E; [lia |]. auto.
           ++ intros [_ [H2 [H3 | [H3 [H4 [_ H5]]]]]]; [discriminate |]. destruct (n - x) as [|y] eqn:E; [tauto |]. split; [lia | split; [lia | assumption]].
        -- split; [lia |]. intros [_ [_ [H3 | [_ [_ [H3 _]]]]]]; discriminate.
    + destruct (target i), (way i); lia.
Qed.

Theorem recent_is n i : 1 <= n -> (output (Recent n) way target i = true <-> since 0 (Some n) way target i).
Proof.
  intros Hn. rewrite since_0. unfold output. cbn [cell_step fst]. pose proof (recent_stored n i) as [Hs _]. specialize (Hs 1 (le_n _)).
  assert ((0 <? stored (Recent n) way target i) = true <-> 1 <= stored (Recent n) way target i) as Hlt by (rewrite Nat.ltb_lt; lia).
  rewrite orb_true_iff, andb_true_iff, Hlt, Hs. destruct n as [|n]; [lia |]. split.
  - intros [|[Hw [H1 [_ H2]]]]; auto.
  - intros [|[_ [H1 [Hw H2]]]]; [auto | right]. split; [assumption | split; [assumption | split; [lia | assumption]]].
Qed.

(** A counter stores the age of the oldest target. *)
Lemma oldest_stored n i : 1 <= n ->
  (forall x, 1 <= x <= n + 1 -> (x <= stored (Oldest n) way target i <-> 1 <= i /\ since (x - 1) None way target (i - 1))) /\
  stored (Oldest n) way target i <= n + 1.
Proof.
  intros Hn. induction i as [|i [IH IH']].
  - simpl. split; [intros x; lia | lia].
  - replace (S i - 1) with i by lia. cbn [stored cell_step snd]. set (old := stored (Oldest n) way target i) in *.
    assert (forall x, 1 <= x -> (since x None way target i <-> 1 <= i /\ way i = true /\ since (x - 1) None way target (i - 1))) as Hstep.
    { intros x Hx. split.
      - intros [k [H1 [_ [H2 [H3 H4]]]]]. split; [lia | split; [rewrite <- (Nat.sub_0_r i); apply H4; lia |]].
        exists (k - 1). split; [lia | split; [exact I | split; [lia | split]]].
        + replace (i - 1 - (k - 1)) with (i - k) by lia. assumption.
        + intros j Hj. replace (i - 1 - j) with (i - S j) by lia. apply H4. lia.
      - intros [Hi [Hw [k [H1 [_ [H2 [H3 H4]]]]]]]. exists (S k). split; [lia | split; [exact I | split; [lia | split]]].
        + replace (i - S k) with (i - 1 - k) by lia. assumption.
        + intros [|j] Hj; [rewrite Nat.sub_0_r; assumption |]. replace (i - S j) with (i - 1 - j) by lia. apply H4. lia. }
    assert (1 <= old <-> 1 <= i /\ since 0 None way target (i - 1)) as Hon by (apply (IH 1); lia).
    split.
    + intros x Hx. destruct (way i && (0 <? old)) eqn:Eon.
      * apply andb_true_iff in Eon. destruct Eon as [Ew Eo]. apply Nat.ltb_lt in Eo. apply Hon in Eo. destruct Eo as [Hi Hs0].
        destruct (Nat.eq_dec x 1) as [->|Hne].
        -- split; [intros _ | lia]. split; [lia |]. simpl. apply since_0. auto.
        -- rewrite Hstep by lia. assert (x <= Nat.min old n + 1 <-> x - 1 <= old) as -> by lia.
           rewrite (IH (x - 1)) by lia. intuition lia.
      * assert (~ (way i = true /\ 1 <= old)) as Hoff.
        { intros [H1 H2]. rewrite H1 in Eon. simpl in Eon. apply Nat.ltb_ge in Eon. lia. }
        destruct (Nat.eq_dec x 1) as [->|Hne].
        -- simpl (1 - 1). rewrite since_0. destruct (target i).
           ++ split; [intros _; split; [lia | left; reflexivity] | intros _; lia].
           ++ split; [lia |]. intros [_ [H1 | [_ [H1 [H2 H3]]]]]; [discriminate |]. exfalso. apply Hoff. split; [assumption |]. apply Hon. auto.
        -- rewrite Hstep by lia. split; [destruct (target i); lia |]. intros [_ [H1 [H2 H3]]]. exfalso. apply Hoff. split; [assumption |].
           apply Hon. split; [assumption |]. destruct H3 as [k Hk]. exists k. intuition lia.
    + destruct (way i && (0 <? old)); [lia |]. destruct (target i); lia.
Qed.

Theorem oldest_is n i : 1 <= n -> (output (Oldest n) way target i = true <-> since n None way target i).
Proof.
  intros Hn. unfold output. cbn [cell_step fst]. set (old := stored (Oldest n) way target i).
  assert (n <= old <-> 1 <= i /\ since (n - 1) None way target (i - 1)) as Hs.
  { pose proof (oldest_stored n i Hn) as [Hs _]. apply (Hs n). lia. }
  rewrite !andb_true_iff, Nat.ltb_lt, Nat.leb_le. split.
  - intros [[Hw _] Ho]. apply Hs in Ho. destruct Ho as [Hi [k [H1 [_ [H2 [H3 H4]]]]]].
    exists (S k). split; [lia | split; [exact I | split; [lia | split]]].
    + replace (i - S k) with (i - 1 - k) by lia. assumption.
    + intros [|j] Hj; [rewrite Nat.sub_0_r; assumption |]. replace (i - S j) with (i - 1 - j) by lia. apply H4. lia.
  - intros [k [H1 [_ [H2 [H3 H4]]]]]. assert (n <= old) as Ho.
    { apply Hs. split; [lia |]. exists (k - 1). split; [lia | split; [exact I | split; [lia | split]]].
      - replace (i - 1 - (k - 1)) with (i - k) by lia. assumption.
      - intros j Hj. replace (i - 1 - j) with (i - S j) by lia. apply H4. lia. }
    split; [split; [| lia] | assumption]. rewrite <- (Nat.sub_0_r i). apply H4. lia.
Qed.
(** A clock stores the number of steps since the start, up to the end of its window. *)
Lemma clock_stored lo hi i :
  stored (Clock lo hi) way target i = Nat.min i (match hi with Some h => h + 1 | None => lo end).
Proof. induction i as [|i IH]; [reflexivity |]. cbn [stored cell_step snd]. rewrite IH. lia. Qed.

Theorem clock_is lo hi i : output (Clock lo hi) way target i = true <-> lo <= i /\ upto hi i.
Proof.
  unfold output. cbn [cell_step fst]. rewrite clock_stored, andb_true_iff, Nat.leb_le.
  destruct hi as [h|]; simpl; [rewrite Nat.leb_le |]; intuition lia.
Qed.
End Cells.

(** * Delay lines *)

(** The output of a cell some steps ago, and false if the way has failed since:
    one bit for each step, all of them cleared when the way fails. *)
Section Lines.
Variables (steps : nat) (near way : nat -> bool).

Definition advance (line : list bool) (i : nat) : list bool := map (andb (way i)) line ++ [near i].

(** The line before step i, and what comes out at step i. *)
Fixpoint line (i : nat) : list bool :=
  match i with
  | 0 => repeat false steps
  | S i => tl (advance (line i) i)
  end.

Definition delayed (i : nat) : bool := hd false (advance (line i) i).

Lemma line_length i : length (line i) = steps.
Proof.
  induction i as [|i IH]; simpl; [apply repeat_length |]. unfold advance.
  destruct (map (andb (way i)) (line i) ++ [near i]) eqn:E.
  - destruct (map (andb (way i)) (line i)); discriminate.
  - simpl. apply (f_equal (@length bool)) in E. rewrite app_length, map_length, IH in E. simpl in E. lia.
Qed.

Lemma advance_nth l i x : nth x (advance l i) false = true <->
  (x < length l /\ nth x l false = true /\ way i = true) \/ (x = length l /\ near i = true).
Proof.
  unfold advance. destruct (lt_eq_lt_dec x (length l)) as [[Hlt | ->] | Hgt].
  - rewrite app_nth1 by (rewrite map_length; assumption).
    rewrite (nth_indep _ false (andb (way i) false)) by (rewrite map_length; assumption).
    rewrite map_nth, andb_true_iff. intuition lia.
  - rewrite app_nth2 by (rewrite map_length; lia). rewrite map_length, Nat.sub_diag. simpl. intuition lia.
  - rewrite nth_overflow by (rewrite app_length, map_length; simpl; lia). intuition (try lia; try discriminate).
Qed.

(** The bit at place x was pushed at step i + x - steps. *)
Lemma line_nth i : forall x, x < steps ->
  (nth x (line i) false = true <->
   steps <= i + x /\ near (i + x - steps) = true /\ forall j, i + x - steps < j < i -> way j = true).
Proof.
  induction i as [|i IH]; intros x Hx.
  - simpl. rewrite nth_repeat. split; [discriminate | lia].
  - cbn [line]. assert (nth x (tl (advance (line i) i)) false = nth (S x) (advance (line i) i) false) as ->.
    { destruct (advance (line i) i); [destruct x |]; reflexivity. }
    rewrite advance_nth, line_length. replace (S i + x) with (i + S x) by lia. split.
    + intros [[H1 [H2 H3]] | [H1 H2]].
      * apply IH in H2; [| assumption]. destruct H2 as [H4 [H5 H6]]. split; [assumption | split; [assumption |]].
        intros j Hj. destruct (Nat.eq_dec j i) as [->|]; [assumption | apply H6; lia].
      * rewrite H1. split; [lia | split; [replace (i + steps - steps) with i by lia; assumption | intros j Hj; lia]].
    + intros [H1 [H2 H3]]. destruct (Nat.eq_dec (S x) steps) as [E|].
      * right. split; [assumption |]. rewrite E in H2. replace (i + steps - steps) with i in H2 by lia. assumption.
      * left. split; [lia | split].
        -- apply IH; [lia |]. split; [assumption | split; [assumption |]]. intros j Hj. apply H3. lia.
        -- apply H3. lia.
Qed.

Theorem delayed_is i : delayed i = true <->
  steps <= i /\ near (i - steps) = true /\ forall j, j < steps -> way (i - j) = true.
Proof.
  unfold delayed. assert (hd false (advance (line i) i) = nth 0 (advance (line i) i) false) as ->.
  { destruct (advance (line i) i); reflexivity. }
  rewrite advance_nth, line_length. destruct (Nat.eq_dec steps 0) as [E|].
  - rewrite E, Nat.sub_0_r. split; [intros [|[_ H]]; [lia | split; [lia | split; [assumption | intros; lia]]] | intros [_ [H _]]; auto].
  - rewrite line_nth by lia. rewrite Nat.add_0_r. split.
    + intros [[_ [[H1 [H2 H3]] H4]] | [H1 _]]; [| lia]. split; [assumption | split; [assumption |]].
      intros j Hj. destruct j as [|j]; [rewrite Nat.sub_0_r; assumption | apply H3; lia].
    + intros [H1 [H2 H3]]. left. split; [lia |]. split; [split; [assumption | split; [assumption |]] |].
      * intros j Hj. replace j with (i - (i - j)) by lia. apply H3. lia.
      * rewrite <- (Nat.sub_0_r i). apply H3. lia.
Qed.
End Lines.

(** * The plan *)

(** What is stored for `way S[lo,hi] target`, as `logic::memory::plan` chooses it. *)
Definition remembered (lo : nat) (hi : option nat) (way target : nat -> bool) : nat -> bool :=
  let recent n := match n with 0 => Now | _ => Recent n end in
  match hi with
  | Some h =>
      if h <? lo then fun _ => false
      else match lo with
           | 0 => output (recent h) way target
           | _ => delayed lo (output (recent (h - lo)) way target) way
           end
  | None => match lo with 0 => output Latch way target | _ => output (Oldest lo) way target end
  end.

Theorem remembered_is lo hi way target i : remembered lo hi way target i = true <-> since lo hi way target i.
Proof.
  assert (forall n i, output (match n with 0 => Now | _ => Recent n end) way target i = true <-> since 0 (Some n) way target i) as Hrecent.
  { intros [|n] j; [apply now_is | apply recent_is; lia]. }
  unfold remembered. destruct hi as [h|].
  - destruct (h <? lo) eqn:E.
    + apply Nat.ltb_lt in E. split; [discriminate |]. intros [k [H1 [H2 _]]]. simpl in H2. lia.
    + apply Nat.ltb_ge in E. destruct lo as [|lo]; [apply Hrecent |]. rewrite delayed_is, Hrecent. split.
      * intros [H1 [[k [_ [H2 [H3 [H4 H5]]]]] H6]]. simpl in H2. exists (S lo + k).
        split; [lia | split; [simpl; lia | split; [lia | split]]].
        -- replace (i - (S lo + k)) with (i - S lo - k) by lia. assumption.
        -- intros j Hj. destruct (le_lt_dec (S lo) j); [| apply H6; assumption].
           replace (i - j) with (i - S lo - (j - S lo)) by lia. apply H5. lia.
      * intros [k [H1 [H2 [H3 [H4 H5]]]]]. simpl in H2. split; [lia | split].
        -- exists (k - S lo). split; [lia | split; [simpl; lia | split; [lia | split]]].
           ++ replace (i - S lo - (k - S lo)) with (i - k) by lia. assumption.
           ++ intros j Hj. replace (i - S lo - j) with (i - (S lo + j)) by lia. apply H5. lia.
        -- intros j Hj. apply H5. lia.
  - destruct lo as [|lo]; [apply latch_is | apply oldest_is; lia].
Qed.

(** The states of the cells are bounded, whatever the trace is. *)
Theorem cells_are_bounded way target i :
  stored Latch way target i <= 1 /\
  (forall n, stored (Recent n) way target i <= n) /\
  (forall n, 1 <= n -> stored (Oldest n) way target i <= n + 1) /\
  (forall lo hi, stored (Clock lo hi) way target i <= match hi with Some h => h + 1 | None => lo end) /\
  (forall steps near, length (line steps near way i) = steps).
Proof.
  split; [apply latch_stored | split; [intros n; apply recent_stored | split; [intros n Hn; apply oldest_stored; assumption |]]].
  split; [intros; rewrite clock_stored; lia | intros; apply line_length].
Qed.

(** * Monitors *)

Section Monitors.
Variables (m : nat) (signals : nat -> atom -> bool).

(** The output of the monitor of a past formula at each step. Its inputs are
    the outputs of the monitors of the operands at the same step. *)
Fixpoint monitor (f : form) : nat -> bool :=
  let remembered b := remembered (val m (low b)) (option_map (val m) (high b)) in
  match f with
  | Top => fun _ => true
  | Bot => fun _ => false
  | Var a => fun i => signals i a
  | Not p => fun i => negb (monitor p i)
  | And p q => fun i => monitor p i && monitor q i
  | Or p q => fun i => monitor p i || monitor q i
  | Imp p q => fun i => implb (monitor p i) (monitor q i)
  | Iff p q => fun i => eqb (monitor p i) (monitor q i)
  | Xor p q => fun i => xorb (monitor p i) (monitor q i)
  | O_ b p => remembered b (fun _ => true) (monitor p)
  | H_ b p => fun i => negb (remembered b (fun _ => true) (fun i => negb (monitor p i)) i)
  | S_ b p q => remembered b (monitor p) (monitor q)
  | T_ b p q => fun i => negb (remembered b (fun i => negb (monitor p i)) (fun i => negb (monitor q i)) i)
  | F_ _ _ | G_ _ _ | U_ _ _ _ | R_ _ _ _ => fun _ => false
  end.

Fixpoint is_past (f : form) : bool :=
  match f with
  | Top | Bot | Var _ => true
  | Not p | O_ _ p | H_ _ p => is_past p
  | And p q | Or p q | Imp p q | Iff p q | Xor p q | S_ _ p q | T_ _ p q => is_past p && is_past q
  | F_ _ _ | G_ _ _ | U_ _ _ _ | R_ _ _ _ => false
  end.

Lemma remembered_way tr b p q (way target : nat -> bool) i :
  (forall j, j <= i -> (sem m tr p j <-> way j = true)) -> (forall j, j <= i -> (sem m tr q j <-> target j = true)) ->
  (remembered (val m (low b)) (option_map (val m) (high b)) way target i = true <-> sem m tr (S_ b p q) i).
Proof.
  intros Hp Hq. rewrite remembered_is. cbn [sem]. unfold since, window. split.
  - intros [k [H1 [H2 [H3 [H4 H5]]]]]. exists k. split; [| split; [assumption | split]].
    + split; [assumption |]. destruct (high b); simpl in *; assumption.
    + apply Hq; [lia | assumption].
    + intros j Hj. apply Hp; [lia |]. apply H5. assumption.
  - intros [k [[H1 H2] [H3 [H4 H5]]]]. exists k. split; [assumption | split; [| split; [assumption | split]]].
    + destruct (high b); simpl in *; assumption.
    + apply Hq; [lia | assumption].
    + intros j Hj. apply Hp; [lia |]. apply H5. assumption.
Qed.

(** At every step, the monitor says what the formula says. *)
Theorem monitor_is tr f : (forall i a, at_position tr i a <-> signals i a = true) -> is_past f = true ->
  forall i, inside tr i -> (sem m tr f i <-> monitor f i = true).
Proof.
  intros Hatoms. induction f; simpl is_past; intros Hpast i Hi; try discriminate;
    try (apply andb_true_iff in Hpast; destruct Hpast as [Hpast1 Hpast2]);
    assert (forall j, j <= i -> inside tr j) as Hin by (intros j; apply inside_le; assumption).
  - simpl. tauto.
  - simpl. split; [tauto | discriminate].
  - simpl. apply Hatoms.
  - simpl. rewrite (IHf Hpast i Hi). destruct (monitor f i); simpl; intuition congruence.
  - simpl. rewrite (IHf1 Hpast1 i Hi), (IHf2 Hpast2 i Hi), andb_true_iff. reflexivity.
  - simpl. rewrite (IHf1 Hpast1 i Hi), (IHf2 Hpast2 i Hi), orb_true_iff. reflexivity.
  - simpl. rewrite (IHf1 Hpast1 i Hi), (IHf2 Hpast2 i Hi). destruct (monitor f1 i), (monitor f2 i); simpl; intuition congruence.
  - simpl. rewrite (IHf1 Hpast1 i Hi), (IHf2 Hpast2 i Hi). destruct (monitor f1 i), (monitor f2 i); simpl; intuition congruence.
  - simpl. rewrite (IHf1 Hpast1 i Hi), (IHf2 Hpast2 i Hi). destruct (monitor f1 i), (monitor f2 i); simpl; intuition congruence.
  - rewrite (O_way b f m tr i Hi). symmetry. apply remembered_way; [intros; simpl; tauto | intros j Hj; apply IHf; auto].
  - rewrite (H_way b f m tr i Hi). cbn [monitor]. rewrite negb_true_iff, <- not_true_iff_false.
    rewrite (remembered_way tr b Top (Not f)); [reflexivity | intros; simpl; tauto |].
    intros j Hj. cbn [sem]. rewrite (IHf Hpast j (Hin j Hj)). destruct (monitor f j); simpl; intuition congruence.
  - symmetry. apply remembered_way; intros j Hj; auto.
  - rewrite (T_way b f1 f2 m tr i Hi). cbn [monitor]. rewrite negb_true_iff, <- not_true_iff_false.
    rewrite (remembered_way tr b (Not f1) (Not f2)); [reflexivity | |];
      intros j Hj; cbn [sem]; [rewrite (IHf1 Hpast1 j (Hin j Hj)); destruct (monitor f1 j) | rewrite (IHf2 Hpast2 j (Hin j Hj)); destruct (monitor f2 j)];
      simpl; intuition congruence.
Qed.
End Monitors.

(** ** One counter for "within" *)

(** If a trigger has no response for n steps, the oldest one without a response
    became n steps old first (`logic::memory::oldest_only`). *)
Theorem oldest_only n t r : equiv
  (H_ all (Imp (O_ (exactly n) t) (O_ (within n) r)))
  (H_ all (Not (S_ (Bound n None) (Not r) (And (Not r) t)))).
Proof.
  intros m tr i Hi. rewrite !sem_H. split.
  - intros Hall j Hj [k [[Hw _] [Hk [[Hr Ht] Hway]]]]. simpl in Hw.
    assert (sem m tr (O_ (within n) r) (j - k + val m n)) as Ho.
    { apply Hall; [lia |]. apply sem_O_exactly. replace (j - k + val m n - val m n) with (j - k) by lia. split; [lia | assumption]. }
    apply sem_O_within in Ho. destruct Ho as [x [Hx Hrx]]. destruct (Nat.eq_dec x (j - k)) as [->|]; [apply Hr; assumption |].
    apply (Hway (j - x)); [lia |]. replace (j - (j - x)) with x by lia. assumption.
  - intros Hall j Hj Ho. apply sem_O_exactly in Ho. destruct Ho as [Hn Ht]. apply NNPP. intros No. apply (Hall j Hj).
    assert (forall x, j - val m n <= x <= j -> ~ sem m tr r x) as Hnone.
    { intros x Hx Hr. apply No. apply sem_O_within. exists x. split; [lia | assumption]. }
    exists (val m n). split; [split; simpl; auto; lia | split; [assumption | split]].
    + split; [apply Hnone; lia | assumption].
    + intros x Hx. apply Hnone. lia.
Qed.
